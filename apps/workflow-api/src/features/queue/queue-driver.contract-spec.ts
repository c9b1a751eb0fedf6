import { createDatabaseStores } from '../../testing/run-harness';
import { createTestStores, storeKinds, type TestStoreSource } from '../../testing/test-stores';
import { createInMemoryRunStore } from '../dag-runs';
import { createPrismaWorkerRepository } from '../worker';
import { selectorText, type DagRun } from '@weir/workflow-engine';
import { aRun, aRunStep } from '@weir/workflow-engine/testing';
import type { DagRunRepository } from '../dag-runs';
import type { ClaimRequest, QueueClaim, QueueDriver } from './queue-driver';
import type { QueueEntry } from './queue-reads';
import { aWorker } from '../../testing/worker-builders';

interface QueueFixture {
  readonly queue: QueueDriver<never>;
  readonly runs: DagRunRepository;
  /** Stores a heartbeat. */
  readonly beat: (owner: string) => Promise<void>;
  /** Lets the lease expire. */
  readonly silence: (owner: string) => Promise<void>;
}

const start = Date.UTC(2026, 0, 2, 3, 0, 0);
const minutes = (count: number): Date => new Date(start + count * 60_000);
const later = minutes(1_000);
const ended = { status: 'succeeded', finishedAt: minutes(5), error: null } as const;

describe.each(storeKinds)('queue driver on %s', (kind) => {
  let stores: TestStoreSource;

  beforeAll(async () => {
    stores = await createTestStores(kind);
  });
  afterAll(() => stores.remove());

  const open = async (): Promise<QueueFixture> => {
    const alive = new Set<string>();
    const liveness = {
      isAlive: (owner: string) => alive.has(owner),
      beat: (owner: string) => Promise.resolve(void alive.add(owner)),
      silence: (owner: string) => Promise.resolve(void alive.delete(owner)),
    };
    if (kind === 'memory') return { ...liveness, ...createInMemoryRunStore(liveness) };
    const database = await stores.openDatabase();
    if (database.provider === 'sqlite') return { ...liveness, ...createDatabaseStores(database, liveness) };
    const workers = createPrismaWorkerRepository(database);
    return {
      ...createDatabaseStores(database),
      beat: (id) => workers.beat({ ...aWorker({ id }), claims: true }),
      silence: async (id) => {
        const heartbeatAt = new Date(Date.now() - 60_000);
        await database.db.runner.update({ where: { id }, data: { heartbeatAt } });
      },
    };
  };

  let fixture: QueueFixture;
  let queue: QueueFixture['queue'];
  let runs: DagRunRepository;

  beforeEach(async () => {
    fixture = await open();
    ({ queue, runs } = fixture);
    await fixture.beat('one');
    await fixture.beat('two');
  });

  const add = (id: string, values: Partial<DagRun> = {}, isUnlimited = false) =>
    runs.insert(aRun({ id, dagName: 'nightly', queuedAt: minutes(0), ...values }), [aRunStep()], {
      singleton: false,
      isUnlimited,
    });
  const claim = (request: Partial<ClaimRequest> = {}): Promise<QueueClaim | undefined> =>
    queue.claim({ owner: 'one', labels: {}, at: later, from: 'queue', ...request });
  const claimAll = async (request: Partial<ClaimRequest> = {}): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let next = await claim(request); next !== undefined; next = await claim(request)) found.push(next.runId);
    return found;
  };
  const entryOf = async (runId: string): Promise<QueueEntry> => {
    const entry = await queue.findEntry(runId);
    if (entry === undefined) throw new Error(`${runId} is in no queue`);
    return entry;
  };
  const toLease = ({ token }: QueueClaim, ownerId = 'one') => ({ ownerId, token });

  it('gives the run that was queued first, and makes it running and owned', async () => {
    await queue.setLimits(new Map([['nightly', 9]]));
    await add('b', { queuedAt: minutes(2) });
    await add('a', { queuedAt: minutes(1) });

    await expect(claim()).resolves.toEqual({ runId: 'a', token: 1 });
    await expect(runs.findById('a')).resolves.toMatchObject({
      status: 'running',
      ownerId: 'one',
      fencingToken: 1,
      startedAt: later,
    });
    await expect(queue.listClaims('one')).resolves.toMatchObject([{ runId: 'a', token: 1 }]);
    await expect(claimAll()).resolves.toEqual(['b']);
    await expect(claim()).resolves.toBeUndefined();
  });

  it('gives a higher priority first, unless a lower one has waited long enough', async () => {
    await queue.setLimits(new Map([['nightly', 9]]));
    await add('low', { queuedAt: minutes(6) });
    await add('high', { queuedAt: minutes(7), priority: 5 });
    await add('aged', { queuedAt: minutes(0) });
    await add('lowest', { queuedAt: minutes(0), priority: -20 });

    await expect(claimAll()).resolves.toEqual(['aged', 'high', 'low', 'lowest']);
  });

  it('gives the workspaces of a queue a slot in turn, whatever the priorities and however many wait', async () => {
    for (const index of [0, 1, 2]) {
      await add(`a${index}`, { workspace: 'a', queuedAt: minutes(index), priority: 9 });
    }
    await add('b0', { workspace: 'b', queuedAt: minutes(10) });
    await add('none', { queuedAt: minutes(20) });
    const order: string[] = [];
    for (let next = await claim(); next !== undefined; next = await claim()) {
      order.push(next.runId);
      await runs.record(next.runId, toLease(next), [{ position: 0, status: 'succeeded' }], ended);
      if (next.runId === 'b0') await add('b1', { workspace: 'b', queuedAt: minutes(30) });
    }

    expect(order).toEqual(['a0', 'b0', 'none', 'a1', 'b1', 'a2']);
  });

  it('gives a free slot to the workspace that holds the fewest of the queue', async () => {
    await queue.setLimits(new Map([['nightly', 4]]));
    for (const index of [0, 1, 2, 3]) await add(`a${index}`, { workspace: 'a', queuedAt: minutes(index) });
    await expect(claimAll()).resolves.toEqual(['a0', 'a1', 'a2', 'a3']);
    await add('a4', { workspace: 'a', queuedAt: minutes(4) });
    for (const index of [0, 1]) await add(`b${index}`, { workspace: 'b', queuedAt: minutes(50 + index) });
    for (const runId of ['a0', 'a1']) {
      await runs.record(runId, toLease({ runId, token: 1 }), [{ position: 0, status: 'succeeded' }], ended);
    }

    await expect(claimAll()).resolves.toEqual(['b0', 'b1']);
  });

  it('moves a run among those of its workspace', async () => {
    for (const index of [0, 1]) await add(`a${index}`, { workspace: 'a', queuedAt: minutes(index) });
    await add('b', { workspace: 'b', queuedAt: minutes(5) });
    await queue.move('a1', 'first');
    await queue.move('b', 'last');

    await expect(queue.countWaitingBefore(await entryOf('b'))).resolves.toBe(1);
    await expect(claim()).resolves.toMatchObject({ runId: 'a1' });
  });

  it('gives as many of a queue as it has slots, and continues with the next queue', async () => {
    await queue.setLimits(new Map([['wide', 2]]));
    for (const id of ['a', 'b', 'c']) await add(id, { queueName: 'wide' });
    for (const id of ['d', 'e']) await add(id, { queuedAt: minutes(1) });

    expect((await claimAll()).toSorted()).toEqual(['a', 'b', 'd']);
    await expect(queue.depth()).resolves.toEqual({ waiting: 2, claimed: 3 });
    await expect(queue.depth('wide')).resolves.toEqual({ waiting: 1, claimed: 2 });
    await expect(queue.depth('none')).resolves.toEqual({ waiting: 0, claimed: 0 });
  });

  it('gives no run that waits for a slot of a paused queue, until it is resumed', async () => {
    await add('a');
    await add('other', { queueName: 'wide', queuedAt: minutes(1) });
    await add('slotless', { queuedAt: minutes(2) }, true);
    await queue.pause('nightly', { pausedAt: minutes(3), pausedBy: 'ada' });
    await queue.pause('nightly', { pausedAt: minutes(4), pausedBy: 'bob' });

    expect((await claimAll()).toSorted()).toEqual(['other', 'slotless']);
    await expect(queue.readPauses()).resolves.toEqual(
      new Map([['nightly', { pausedAt: minutes(3), pausedBy: 'ada' }]]),
    );
  });

  it('gives the runs of a queue that was resumed', async () => {
    await add('a');
    await queue.pause('nightly', { pausedAt: minutes(3), pausedBy: 'ada' });
    await queue.setLimits(new Map());

    await expect(claim()).resolves.toBeUndefined();
    await queue.resume('nightly');
    await expect(queue.readPauses()).resolves.toEqual(new Map());
    await expect(claim()).resolves.toMatchObject({ runId: 'a' });
  });

  it('gives a run first or last that was moved there, among those that need a slot', async () => {
    await queue.setLimits(new Map([['nightly', 9]]));
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await add(id, { queuedAt: minutes(index) });
    await add('slotless', { queuedAt: minutes(9) }, true);
    await add('elsewhere', { queueName: 'wide', queuedAt: minutes(0) });

    await expect(queue.move('c', 'first')).resolves.toBe(true);
    await expect(queue.move('a', 'last')).resolves.toBe(true);
    await expect(queue.countWaitingBefore(await entryOf('c'))).resolves.toBe(1);
    expect((await claimAll()).filter((id) => id !== 'elsewhere')).toEqual(['slotless', 'c', 'b', 'd', 'a']);
    await expect(queue.move('a', 'first')).resolves.toBe(false);
    await expect(queue.move('none', 'first')).resolves.toBe(false);
  });

  it('gives a run to a worker that has its labels only, and lets others pass', async () => {
    await queue.setLimits(new Map([['nightly', 9]]));
    const gpu = selectorText({ gpu: 'a100' });
    await add('gpu', { workerSelector: gpu, queuedAt: minutes(0) });
    await add('both', { workerSelector: selectorText({ gpu: 'a100', region: 'eu' }), queuedAt: minutes(1) });
    await add('any', { queuedAt: minutes(2) });

    await expect(claimAll()).resolves.toEqual(['any']);
    await expect(claimAll({ labels: { gpu: 'h100', region: 'eu' } })).resolves.toEqual([]);
    await expect(claimAll({ labels: { gpu: 'a100' } })).resolves.toEqual(['gpu']);
    await expect(claimAll({ labels: { region: 'eu', gpu: 'a100', more: 'x' } })).resolves.toEqual(['both']);
  });

  it('gives the run of an expired owner to a worker that has its labels only', async () => {
    await add('gpu', { workerSelector: selectorText({ gpu: 'a100' }) });
    await claim({ labels: { gpu: 'a100' } });
    await fixture.silence('one');

    await expect(claim({ owner: 'two', from: 'expired' })).resolves.toBeUndefined();
    await expect(claim({ owner: 'two', from: 'expired', labels: { gpu: 'a100' } })).resolves.toMatchObject({
      runId: 'gpu',
    });
  });

  it('frees the slot in the transaction that ends the run', async () => {
    await add('a');
    await add('b', { queuedAt: minutes(1) });
    const first = await claim();
    await expect(claim()).resolves.toBeUndefined();

    await runs.record('a', toLease(first ?? { runId: 'a', token: 0 }), [{ position: 0, status: 'succeeded' }], ended);
    await expect(claim()).resolves.toMatchObject({ runId: 'b' });
    await expect(queue.depth()).resolves.toEqual({ waiting: 0, claimed: 1 });
  });

  it('frees the slot of a run that begins to wait, and raises its token further', async () => {
    await add('a');
    await add('b', { queuedAt: minutes(1) });
    const first = await claim();
    const waiting = { status: 'waiting', finishedAt: null, error: null } as const;
    const waits = [{ position: 0, status: 'waiting' }] as const;
    await runs.record('a', toLease(first ?? { runId: 'a', token: 0 }), waits, waiting);
    await expect(claimAll()).resolves.toEqual(['b']);
    await runs.apply('a', { kind: 'child_ended', step: { scope: '', position: 0 }, at: minutes(3) });
    await queue.setLimits(new Map([['nightly', 2]]));

    await expect(claim()).resolves.toEqual({ runId: 'a', token: 2 });
    await expect(runs.findById('a')).resolves.toMatchObject({ startedAt: later });
  });

  it('gives a run that needs no slot at once, and counts it', async () => {
    await add('a');
    await claim();
    await add('b');
    await add('c', { queuedAt: minutes(9) }, true);

    await expect(claimAll()).resolves.toEqual(['c']);
    await expect(queue.depth('nightly')).resolves.toEqual({ waiting: 1, claimed: 2 });
  });

  it('counts runs that were started with their owner', async () => {
    await add('own', { status: 'running', ownerId: 'one', fencingToken: 1 });
    await add('b');

    await expect(claim()).resolves.toBeUndefined();
    await expect(queue.listClaims('one')).resolves.toMatchObject([{ runId: 'own', token: 1 }]);
  });

  it('gives a released run again, after a while and with a new token', async () => {
    await add('a');
    const first = (await claim()) ?? { runId: 'a', token: 0 };

    await expect(queue.fail({ ...first, owner: 'two' }, minutes(30))).resolves.toBe(false);
    await expect(queue.fail({ ...first, owner: 'one' }, minutes(30))).resolves.toBe(true);
    await expect(queue.fail({ ...first, owner: 'one' }, minutes(30))).resolves.toBe(false);
    await expect(claim({ at: minutes(29) })).resolves.toBeUndefined();
    await expect(runs.record('a', toLease(first), [], ended)).resolves.toBe(false);
    await expect(claim({ at: minutes(31), owner: 'two' })).resolves.toEqual({ runId: 'a', token: 2 });
  });

  it('gives the run of an expired owner to another one, whose token fences the old one', async () => {
    await add('a');
    const first = (await claim()) ?? { runId: 'a', token: 0 };
    await runs.apply('a', { kind: 'stop_requested', at: minutes(1), error: 'run stopped' });
    await fixture.silence('one');

    await expect(claim({ owner: 'one', from: 'expired' })).resolves.toBeUndefined();
    await expect(claim({ owner: 'two', from: 'expired' })).resolves.toEqual({ runId: 'a', token: 2 });
    await expect(claim({ owner: 'two', from: 'expired' })).resolves.toBeUndefined();
    await expect(runs.record('a', toLease(first), [{ position: 0, status: 'running' }])).resolves.toBe(false);
    await expect(runs.record('a', toLease({ runId: 'a', token: 2 }, 'two'), [], ended)).resolves.toBe(true);
    await expect(runs.findById('a')).resolves.toMatchObject({ status: 'succeeded', stopRequestedAt: minutes(1) });
  });

  it('records that a run is taken over, and by which cause', async () => {
    await add('a');
    const first = (await claim({ at: minutes(1) })) ?? { runId: 'a', token: 0 };
    await runs.record('a', toLease(first), [{ position: 0, status: 'running' }]);
    await runs.record('a', toLease(first), [{ position: 0, status: 'succeeded' }]);
    await fixture.silence('one');
    const second = (await claim({ owner: 'two', from: 'expired', at: minutes(2) })) ?? first;
    await runs.apply('a', { kind: 'released', lease: toLease(second, 'two') });
    await fixture.silence('two');
    await fixture.beat('three');
    await claim({ owner: 'three', from: 'expired', at: minutes(3) });

    const interrupted = { status: 'interrupted', exitCode: null, error: null };
    await expect(runs.listAttempts('a', 10)).resolves.toEqual([
      {
        ...{ number: 1, attempt: 1, cause: 'start', reusedSteps: 0, startedAt: minutes(1) },
        ended: { ...interrupted, finishedAt: minutes(2), ownerId: 'one' },
      },
      {
        ...{ number: 2, attempt: 1, cause: 'take_over', reusedSteps: 1, startedAt: minutes(2) },
        ended: { ...interrupted, finishedAt: minutes(3), ownerId: 'two' },
      },
      { number: 3, attempt: 1, cause: 'restart', reusedSteps: 1, startedAt: minutes(3) },
    ]);
    await expect(runs.listAttempts('a', 1)).resolves.toMatchObject([{ number: 3 }]);
  });

  it('leaves the run of a live owner', async () => {
    await add('a');
    await claim();
    await fixture.beat('one');

    await expect(claim({ owner: 'two', from: 'expired' })).resolves.toBeUndefined();
  });

  it('never gives one run to two claimers, nor more than there are slots', async () => {
    await queue.setLimits(new Map([['wide', 15]]));
    const ids = Array.from({ length: 20 }, (_, index) => `run-${index}`);
    for (const id of ids) await add(id, { queueName: 'wide' });
    const claims = await Promise.all(Array.from({ length: 30 }, (_, index) => claim({ owner: `owner-${index}` })));
    const claimed = claims.flatMap((found) => found?.runId ?? []);

    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed.length).toBeLessThanOrEqual(15);
    expect(claimed.length + (await claimAll()).length).toBe(15);
  });

  it('dequeues a run that is not claimed', async () => {
    await add('a');
    await runs.apply('a', { kind: 'dequeue_requested', at: minutes(1), error: 'run stopped' });

    await expect(queue.depth()).resolves.toEqual({ waiting: 0, claimed: 0 });
    await expect(claim()).resolves.toBeUndefined();
  });

  it('notifies its listeners when a run is in its queue again, until they unsubscribe', async () => {
    let calls = 0;
    const unsubscribe = queue.subscribe(() => (calls += 1));
    await add('a', { status: 'failed' });
    await runs.apply('a', { kind: 'retried', at: minutes(1), attempt: 1, by: 'manual', reusedSteps: 0, steps: [] });
    expect(calls).toBeGreaterThan(0);
    unsubscribe();
    const before = calls;
    queue.announce();

    expect(calls).toBe(before);
  });
});
