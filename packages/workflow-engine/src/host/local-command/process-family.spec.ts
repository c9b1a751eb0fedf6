import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@weir/test-kit';
import type { ProcessIdentity } from '../../model/steps/step-outcome';
import { endOrphan } from './end-orphan';
import { createLocalCommandExecutor } from './local-command-executor';
import { isRunning } from './process-family';
import { readProcessStat } from './process-identity';

const onLinux = process.platform === 'linux' ? describe : describe.skip;
const killGraceMs = 200;

onLinux('a process that leaves the group of its step', () => {
  let folder: string;
  let stop: AbortController;
  let outcome: Promise<unknown>;
  const strays: number[] = [];

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'weir-family-spec-')));
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await outcome;
    for (const pid of strays.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const isAlive = (pid: number): boolean => {
    const stat = readProcessStat(pid);
    return stat !== undefined && isRunning(stat);
  };

  /** Executes the text, and waits until the process that left its group has written its number. */
  const execute = async (text: string) => {
    let leader: ProcessIdentity | undefined;
    const executor = createLocalCommandExecutor({ clock: { now: () => new Date(0) }, killGraceMs, tempDir: folder });
    outcome = executor.run(
      {
        run: { kind: 'commands', commands: [text] },
        shell: ['/bin/sh'],
        isStepShell: false,
        cwd: folder,
        env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
        stdoutFile: join(folder, 'out'),
        stderrFile: join(folder, 'err'),
      },
      { signal: stop.signal, onStarted: (identity) => (leader = identity) },
    );
    const read = () => readFileSync(join(folder, 'stray'), { encoding: 'utf8', flag: 'a+' });
    await waitFor(() => read().endsWith('\n'), { what: 'the number of the process' });
    const stray = Number(read());
    strays.push(stray);
    if (leader === undefined) throw new Error('The step did not start.');
    return { stray, leader };
  };

  const strayText = `sh -c 'trap "" TERM; echo $$ > stray; while :; do sleep 0.05; done' > /dev/null 2>&1`;

  it.each([
    ['below its leader', `setsid ${strayText} & wait`],
    ['below no process of the step', `setsid --fork ${strayText}; sleep 300`],
    ['below its leader without a mark', `env -i /usr/bin/setsid ${strayText} & wait`],
  ])('ends with a stop, %s', async (_, text) => {
    const { stray } = await execute(text);

    stop.abort();
    await outcome;

    expect(isAlive(stray)).toBe(false);
  });

  it('ends with the step of a dead server', async () => {
    const { stray, leader } = await execute(`setsid --fork ${strayText}; sleep 300`);

    expect(await endOrphan(leader, killGraceMs)).toBe('ended');
    expect(isAlive(stray)).toBe(false);
  });

  it('outlives a step that ends by itself', async () => {
    const { stray } = await execute(`setsid --fork ${strayText}; until [ -s stray ]; do sleep 0.05; done`);

    await outcome;

    expect(isAlive(stray)).toBe(true);
  });
});
