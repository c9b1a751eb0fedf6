import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { waitFor, temporaryFolder, type TemporaryFolder } from '@weir/test-kit';
import { createLogLimit } from './log-limit';
import type { LogLimits } from '../../model/ports/log-limits';
import { createMasker } from '../../values/masking/masker';
import { createLocalCommandExecutor } from '../local-command/local-command-executor';
import type { StepCommand } from '../local-command/step-command';

const maxBytes = 1000;
const mark = `\n[Log limit: output after ${maxBytes} bytes was dropped.]\n`;

describe('the limit of the logs of a step', () => {
  let folder: TemporaryFolder;
  let stop: AbortController;
  let outcomes: Promise<unknown>[];
  beforeEach(() => {
    folder = temporaryFolder();
    stop = new AbortController();
    outcomes = [];
  });
  afterEach(async () => {
    stop.abort();
    await Promise.all(outcomes);
    await folder.remove();
  });

  const log = () => readFileSync(folder.file('logs/a.out'), 'utf8');
  const execute = (text: string, onExceeded: LogLimits['onExceeded'] = 'drop', changes: Partial<StepCommand> = {}) => {
    const executor = createLocalCommandExecutor({
      clock: { now: () => new Date(0) },
      killGraceMs: 200,
      tempDir: folder.path,
    });
    const logLimit = createLogLimit({ maxBytes, maxRunBytes: 1_000_000, onExceeded }, folder.file('logs'));
    const command: StepCommand = {
      run: { kind: 'commands', commands: [text] },
      shell: ['/bin/sh'],
      isStepShell: false,
      cwd: folder.path,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      stdoutFile: folder.file('logs/a.out'),
      stderrFile: folder.file('logs/a.err'),
      logLimit,
      ...changes,
    };
    const outcome = executor.run(command, { signal: stop.signal, onStarted: () => undefined });
    outcomes.push(outcome);
    return outcome;
  };
  const write = (bytes: number) => `head -c ${bytes} /dev/zero | tr '\\0' x`;

  it('keeps a log of exactly that size unchanged', async () => {
    await expect(execute(write(maxBytes))).resolves.toMatchObject({ status: 'succeeded' });
    expect(log()).toBe('x'.repeat(maxBytes));
  });

  it.each<[string, Partial<StepCommand>]>([
    ['straight into the file', {}],
    ['through the server', { masker: createMasker(['a-secret-value']) }],
  ])('drops output written %s after it, and adds a note', async (_, changes) => {
    await expect(execute(write(500_000), 'drop', changes)).resolves.toMatchObject({ status: 'succeeded' });
    expect(log()).toBe(`${'x'.repeat(maxBytes)}${mark}`);
  });

  it('limits each stream', async () => {
    await execute(`${write(2000)} >&2; echo out`);

    expect(readFileSync(folder.file('logs/a.err'), 'utf8')).toBe(`${'x'.repeat(maxBytes)}${mark}`);
    expect(log()).toBe('out\n');
  });

  it('cuts the log while the step is running', async () => {
    const outcome = execute(`${write(5000)}; until [ -e go ]; do sleep 0.02; done; echo late`);
    await waitFor(() => statSync(folder.file('logs/a.out')).size === maxBytes + mark.length, {
      what: 'a log that is cut',
    });
    writeFileSync(folder.file('go'), '');

    await expect(outcome).resolves.toMatchObject({ status: 'succeeded' });
    expect(log()).toBe(`${'x'.repeat(maxBytes)}${mark}`);
  });

  it('adds the note once for all attempts', async () => {
    await execute(write(2000));
    await execute('echo again');

    expect(log()).toBe(`${'x'.repeat(maxBytes)}${mark}`);
  });

  it.each([
    ['goes on', 'yes'],
    ['has ended', write(2000)],
  ])('fails a step that %s, if that is wanted', async (_, text) => {
    await expect(execute(text, 'fail')).resolves.toMatchObject({
      status: 'failed',
      error: 'The step wrote more than its log may contain.',
    });
    expect(log()).toMatch(/was dropped\.\]\n$/);
  });
});
