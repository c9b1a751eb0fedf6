import type { DagRun } from '@weir/workflow-engine/model';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { createDatabaseStores } from '../../../testing/run-harness';
import { createTestStores, storeKinds, type TestStoreSource } from '../../../testing/test-stores';
import { createInMemoryRunStore } from '../in-memory-queue-driver';
import type { DagRunRepository } from '../../runs';
import type { QueueDriver } from './queue-driver';
import type { WaitingQuery } from './queue-reads';

const minutes = (count: number): Date => new Date(Date.UTC(2026, 0, 2, 3, count));
const everywhere = { unassigned: true, named: 'all' } as const;

describe.each(storeKinds)('the present queues on %s', (kind) => {
  let stores: TestStoreSource;
  let queue: QueueDriver<never>;
  let runs: DagRunRepository;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  beforeEach(async () => {
    ({ queue, runs } =
      kind === 'memory' ? createInMemoryRunStore() : createDatabaseStores(await stores.openDatabase()));
  });
  afterAll(() => stores.remove());

  const add = (id: string, values: Partial<DagRun> = {}) =>
    runs.insert(aRun({ id, dagRunId: id, dagName: 'nightly', queuedAt: minutes(0), ...values }), [aRunStep()], {
      audit: unaudited,
      singleton: false,
    });
  const claim = () => queue.claim({ labels: {}, owner: 'one', at: minutes(50), from: 'queue' });
  const listWaiting = (query: Partial<WaitingQuery> = {}) =>
    queue.listWaiting({ queueName: 'nightly', workspaces: everywhere, limit: 10, ...query });
  const list = async (query: Partial<WaitingQuery> = {}) => (await listWaiting(query)).map(({ runId }) => runId);

  it('are listed by name with their waiting runs and the holders of slots', async () => {
    await add('b', { queueName: 'wide' });
    await add('a', { queuedAt: minutes(1) });
    await add('c', { queuedAt: minutes(2) });
    await claim();

    await expect(queue.listQueues(everywhere)).resolves.toEqual([
      { name: 'nightly', waiting: 2, claimed: 0 },
      { name: 'wide', waiting: 0, claimed: 1 },
    ]);
  });

  it.each([
    ['objects without one', { unassigned: true, named: [] }, ['none']],
    ['a named one', { unassigned: false, named: ['ops'] }, ['of-ops']],
    ['both', { unassigned: true, named: ['ops'] }, ['none', 'of-ops']],
    ['every named one', { unassigned: false, named: 'all' }, ['of-ops', 'of-sales']],
    ['none at all', { unassigned: false, named: [] }, []],
  ] as const)('count and list only runs of the workspaces: %s', async (_, workspaces, expected) => {
    await add('none');
    await add('of-ops', { workspace: 'ops', queuedAt: minutes(1) });
    await add('of-sales', { workspace: 'sales', queuedAt: minutes(2) });

    await expect(list({ workspaces })).resolves.toEqual(expected);
    const [use] = await queue.listQueues(workspaces);
    expect(use?.waiting ?? 0).toBe(expected.length);
  });

  it('are listed in the order of claims, page by page', async () => {
    for (const [id, minute] of [
      ['c', 3],
      ['a', 1],
      ['b', 1],
    ] as const) {
      await add(id, { queuedAt: minutes(minute) });
    }
    await add('first', { queuedAt: minutes(9), priority: 20 });

    await expect(list()).resolves.toEqual(['first', 'a', 'b', 'c']);
    const [, second] = await listWaiting({ limit: 2 });
    await expect(list({ after: second })).resolves.toEqual(['b', 'c']);
    await expect(list({ queueName: 'other' })).resolves.toEqual([]);
  });

  it('count the runs of its queue that are claimed before a waiting one', async () => {
    await add('holder');
    await claim();
    await add('b', { queuedAt: minutes(1) });
    await add('a', { queuedAt: minutes(1) });
    await add('c', { queuedAt: minutes(2) });
    await add('elsewhere', { queueName: 'wide' });
    const counts: Record<string, number> = {};
    for (const entry of [...(await listWaiting()), ...(await listWaiting({ queueName: 'wide' }))]) {
      counts[entry.runId] = await queue.countWaitingBefore(entry);
    }

    expect(counts).toEqual({ elsewhere: 0, a: 0, b: 1, c: 2 });
  });

  it('let workspaces take turns, also across pages between which runs are claimed', async () => {
    await queue.setLimits(new Map([['nightly', 2]]));
    for (const [index, id] of ['a1', 'a2', 'a3', 'a4'].entries())
      await add(id, { workspace: 'a', queuedAt: minutes(index) });
    for (const [index, id] of ['b1', 'b2'].entries()) await add(id, { workspace: 'b', queuedAt: minutes(10 + index) });
    await add('none', { queuedAt: minutes(20) });

    const order = ['a1', 'b1', 'none', 'a2', 'b2', 'a3', 'a4'];
    await expect(list()).resolves.toEqual(order);
    const [, , third] = await listWaiting();
    await expect(list({ after: third })).resolves.toEqual(order.slice(3));
    for (const [index, entry] of (await listWaiting()).entries()) {
      await expect(queue.countWaitingBefore(entry)).resolves.toBe(index);
    }
    const [first] = await listWaiting();
    await expect(claim()).resolves.toMatchObject({ runId: 'a1' });
    await expect(list()).resolves.toEqual(order.slice(1));
    await expect(list({ after: first })).resolves.toEqual(order.slice(1));
    await expect(list({ workspaces: { unassigned: false, named: ['a'] } })).resolves.toEqual(['a2', 'a3', 'a4']);
  });

  it('return the entry of a run and its owner', async () => {
    await add('a');
    await claim();

    await expect(queue.findEntry('a')).resolves.toMatchObject({ queueName: 'nightly', claimedBy: 'one' });
    await expect(queue.findEntry('none')).resolves.toBeUndefined();
    await expect(queue.listHolders({ workspaces: everywhere, limit: 10 })).resolves.toMatchObject([{ runId: 'a' }]);
    await expect(runs.listSummaries(['a', 'none'])).resolves.toMatchObject(new Map([['a', { id: 'a' }]]));
  });

  it('have the number of slots that was set', async () => {
    await queue.setLimits(new Map([['wide', 3]]));
    await expect(queue.readLimits()).resolves.toEqual(new Map([['wide', 3]]));
  });
});
