import { aRun } from '@weir/workflow-engine/testing';
import type { Principal } from '../../access/principal';
import { anonymous, openAccessAdmin } from '../../access/principal';
import type { ListedWorker } from '../worker';
import { createStoredWorkers } from './stored-workers';
import { aWorker } from '../../testing/worker-builders';

const at = new Date('2026-01-02T03:04:05Z');
const aListedWorker = (values: Partial<ListedWorker> = {}): ListedWorker => ({
  ...aWorker({ id: 'one', pid: 7, startedAt: at }),
  claims: true,
  heartbeatAt: at,
  silentMs: 0,
  databaseUser: '',
  ...values,
});
const root = aRun({ id: 'a', dagRunId: 'run-a', dagName: 'above', status: 'running', ownerId: 'one', startedAt: at });
const child = { id: 'b', dagRunId: 'run-b', dagName: 'below', rootId: 'a', parentId: 'a', depth: 1, workspace: 'ops' };
const runs = [root, aRun({ ...root, ...child })];

async function listWorkers(listed: readonly ListedWorker[], principal: Principal = openAccessAdmin) {
  const stored = createStoredWorkers({
    workers: { list: () => Promise.resolve(listed) },
    runs: {
      listOwned: (ids) => Promise.resolve(runs.filter(({ ownerId }) => ids.includes(ownerId ?? ''))),
      listSummaries: (ids) =>
        Promise.resolve(new Map(runs.filter(({ id }) => ids.includes(id)).map((run) => [run.id, run]))),
    },
  });
  return (await stored.listWorkers(principal)).workers;
}

describe('the workers of the database', () => {
  it('have their slots and their runs, child runs with their root', async () => {
    await expect(listWorkers([aListedWorker(), aListedWorker({ id: 'two' })])).resolves.toMatchObject([
      {
        id: 'one',
        labels: { host: 'here', pid: '7' },
        totalPollers: 50,
        busyPollers: 2,
        runningTasks: [
          { dagRunId: 'run-a', dagName: 'above' },
          { dagRunId: 'run-b', dagName: 'below', rootDagRunName: 'above', rootDagRunId: 'run-a' },
        ],
      },
      { id: 'two', busyPollers: 0, runningTasks: [] },
    ]);
  });

  it('count runs that the caller may not see, but do not list them', async () => {
    const [worker] = await listWorkers([aListedWorker()], anonymous);

    expect(worker).toMatchObject({ busyPollers: 2, runningTasks: [{ dagRunId: 'run-a' }] });
  });

  it.each([
    ['healthy', { silentMs: 4000 }],
    ['warning', { silentMs: 9000 }],
    ['unhealthy', { silentMs: 60_000 }],
    ['healthy', { silentMs: 60_000, isAlive: true }],
    ['unhealthy', { silentMs: 0, isAlive: false }],
  ])('are %s with %j', async (healthStatus, values) => {
    await expect(listWorkers([aListedWorker(values)])).resolves.toMatchObject([{ healthStatus }]);
  });
});
