import type { Principal } from '../../access/principal';
import { createLogIndexes } from './reader';
import { localRunFiles } from '../../run-files';
import { createLogFollowers, type LogFollowersDependencies } from './log-followers';

const principal: Principal = {
  kind: 'local',
  id: 'ada',
  name: 'ada',
  role: 'admin',
  workspaceAccess: { all: true, grants: [] },
};
const run = { name: 'nightly', dagRunId: 'run-1' };

function someFollowers(maxStreams: number) {
  let reads = 0;
  const logs = {
    findRunId: () => Promise.resolve('run-1'),
    readState: () => {
      reads += 1;
      return Promise.resolve({ source: { kind: 'run' as const, file: '' } });
    },
  } as unknown as LogFollowersDependencies['logs'];
  const followers = createLogFollowers({
    logs,
    maxStreams,
    indexes: createLogIndexes(),
    runFiles: localRunFiles,
    clock: { now: () => new Date(0) },
    onRunChange: () => () => undefined,
  });
  return { open: () => followers.open(run, {}, principal), reads: () => reads };
}

describe('GET /dag-runs/{name}/{dagRunId}/log/follow', () => {
  it('returns 503 when there are too many streams, until one of them ends', async () => {
    const { open } = someFollowers(2);
    const [first, second] = [await open(), await open()];

    await expect(open()).rejects.toMatchObject({ code: 'unavailable', reason: 'too_many_streams' });
    first.close();
    const third = await open();
    for (const subscription of [second, third]) subscription.close();
  });

  it('reads the state of a run once for all followers of its log', async () => {
    const { open, reads } = someFollowers(10);
    const opened = await Promise.all(Array.from({ length: 10 }, open));

    expect(reads()).toBe(1);
    for (const subscription of opened) subscription.close();
  });
});
