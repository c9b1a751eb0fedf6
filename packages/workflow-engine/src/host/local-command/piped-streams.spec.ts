import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMasker } from '../../values/masking/masker';
import { createLocalCommandExecutor } from './local-command-executor';
import type { StepCommand } from './step-command';

const secret = 'correct-horse-battery';
const onLinux = process.platform === 'linux' ? it : it.skip;

let folder: string;
let stop: AbortController;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'weir-piped-spec-')));
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => join(folder, 'logs', name);
const readLog = (name: string) => readFile(file(name), 'utf8');

function execute(text: string, changes: Partial<StepCommand> = {}) {
  const executor = createLocalCommandExecutor({ clock: { now: () => new Date() }, killGraceMs: 200, tempDir: folder });
  const command: StepCommand = {
    run: { kind: 'script', script: text },
    shell: ['/bin/sh'],
    isStepShell: false,
    cwd: join(folder, 'work'),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', SECRET: secret },
    stdoutFile: file('step.out'),
    stderrFile: file('step.err'),
    masker: createMasker([secret]),
    ...changes,
  };
  return executor.run(command, { signal: stop.signal, onStarted: () => undefined });
}

const merged = () => ({ stdoutFile: file('step.log'), stderrFile: file('step.log') });

describe('a command with secrets', () => {
  it('writes both streams without them', async () => {
    const outcome = await execute('echo "out $SECRET"; echo "err $SECRET" >&2');

    expect(outcome.status).toBe('succeeded');
    expect(await readLog('step.out')).toBe('out *****\n');
    expect(await readLog('step.err')).toBe('err *****\n');
  });

  it('hides a secret that is written in pieces', async () => {
    await execute('printf correct-; sleep 0.05; printf horse-; sleep 0.05; printf "battery|"');

    expect(await readLog('step.out')).toBe('*****|');
  });

  it('reports a failure without them', async () => {
    const outcome = await execute('echo "no entry for $SECRET" >&2; exit 3');

    expect(outcome).toMatchObject({ status: 'failed', exitCode: 3, error: 'exit status 3: no entry for *****' });
  });

  it('keeps every byte of a large output', async () => {
    const outcome = await execute('head -c 20000000 /dev/zero; printf "$SECRET"; head -c 300000 /dev/zero >&2');

    expect(outcome.status).toBe('succeeded');
    expect((await readFile(file('step.out'))).length).toBe(20_000_005);
    expect((await readFile(file('step.err'))).length).toBe(300_000);
  });

  onLinux('may open its streams by their names', async () => {
    const outcome = await execute('echo "$SECRET" > /dev/stdout; echo "$SECRET" > /dev/stderr');

    expect(outcome.error).toBeUndefined();
    expect((await readLog('step.out')) + (await readLog('step.err'))).toBe('*****\n*****\n');
  });

  it('appends to the output of earlier commands', async () => {
    await execute('', { run: { kind: 'commands', commands: ['echo one $SECRET', 'echo two', 'echo three'] } });

    expect(await readLog('step.out')).toBe('one *****\ntwo\nthree\n');
  });

  it('keeps the output from before it was stopped', async () => {
    const ended = execute('echo "begun $SECRET"; echo begun > mark; sleep 60');
    await expect(lineIn(join(folder, 'work', 'mark'))).resolves.toBe('begun');
    stop.abort();

    expect((await ended).status).toBe('aborted');
    expect(await readLog('step.out')).toBe('begun *****\n');
  });

  onLinux('does not wait for somebody who left its group', async () => {
    const pidFile = join(folder, 'work', 'pid');
    try {
      const outcome = await execute(
        'setsid sh -c "echo \\$\\$ > pid; exec sleep 60" & while [ ! -s pid ]; do :; done; echo ok',
      );

      expect(outcome.status).toBe('succeeded');
      expect(await readLog('step.out')).toBe('ok\n');
    } finally {
      process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
    }
  });

  onLinux('waits for nobody in the background, who can write on', async () => {
    const outcome = await execute(
      '(until [ -e go ]; do sleep 0.02; done; echo $SECRET && echo unharmed > end) & echo ok',
    );
    expect(outcome.status).toBe('succeeded');

    await writeFile(join(folder, 'work', 'go'), '');
    await expect(lineIn(join(folder, 'work', 'end'))).resolves.toBe('unharmed');
    expect(await readLog('step.out')).toBe('ok\n');
  });

  it('reports a missing program', async () => {
    const outcome = await execute('', { run: { kind: 'program', program: '/no/such', args: [] } });

    expect(outcome).toMatchObject({ status: 'failed', error: 'The program of the step was not found.' });
  });

  it('leaves only its logs behind', async () => {
    await execute('echo hello');

    expect((await readdir(folder)).sort()).toEqual(['logs', 'work']);
  });

  onLinux('keeps no descriptor open', async () => {
    await execute('echo hello');
    const before = (await readdir('/proc/self/fd')).length;
    for (let round = 0; round < 5; round += 1) await execute('echo hello; echo hello >&2');

    expect((await readdir('/proc/self/fd')).length).toBeLessThanOrEqual(before);
  });
});

describe('one log for both streams', () => {
  const script = 'for n in 1 2 3 4 5; do echo "out $n"; echo "err $n" >&2; done';
  const inOrder = [1, 2, 3, 4, 5].map((n) => `out ${n}\nerr ${n}\n`).join('');

  it.each([
    ['with secrets', createMasker([secret])],
    ['without', undefined],
  ])('keeps the order of the output, %s', async (_, masker) => {
    await execute(script, { ...merged(), masker });

    expect(await readLog('step.log')).toBe(inOrder);
  });

  it('keeps a separate copy of a stream, too', async () => {
    await execute(script, { ...merged(), copies: { stdoutFile: file('step.stdout') }, masker: undefined });

    expect(await readLog('step.stdout')).toBe('out 1\nout 2\nout 3\nout 4\nout 5\n');
    expect((await readLog('step.log')).split('\n').sort()).toEqual(inOrder.split('\n').sort());
  });

  it('keeps no secret in the separate copy', async () => {
    await execute('echo "$SECRET"; echo "$SECRET" >&2', {
      ...merged(),
      copies: { stdoutFile: file('step.stdout'), stderrFile: file('step.stderr') },
    });

    expect(await readLog('step.stdout')).toBe('*****\n');
    expect(await readLog('step.stderr')).toBe('*****\n');
    expect(await readLog('step.log')).toBe('*****\n*****\n');
  });
});

/** The content of a file as soon as it has a whole line. */
async function lineIn(path: string): Promise<string> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${path} did not get a line in time.`);
}
