import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import { selectorText } from '@weir/workflow-engine/model';
import { toOwnerEvent } from '@weir/workflow-engine/testing';
import type { QueueClaim } from './queue-driver';
import type { QueueEntry } from './queue-reads';
import { later, minutes, useQueue, type QueueFixture } from '../../../testing/use-queue';

const ended = { status: 'succeeded', finishedAt: minutes(5), error: null } as const;

describe.each(storeKinds)('the order of a queue on %s', (kind) => {
  const { fixture: current, add, claim, claimAll } = useQueue(kind);
  let fixture: QueueFixture;
  let queue: QueueFixture['queue'];
  let runs: QueueFixture['runs'];
  beforeEach(() => {
    fixture = current();
    ({ queue, runs } = fixture);
  });
  const entryOf = async (runId: string): Promise<QueueEntry> => {
    const entry = await queue.findEntry(runId);
    if (entry === undefined) throw new Error(`${runId} is in no queue`);
    return entry;
  };
  const toLease = ({ token }: QueueClaim, ownerId = 'one') => ({ ownerId, token });

  it('returns the run that was queued first, and makes it running and owned', async () => {
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

  it('returns a higher priority first, unless a lower one has waited long enough', async () => {
    await queue.setLimits(new Map([['nightly', 9]]));
    await add('low', { queuedAt: minutes(6) });
    await add('high', { queuedAt: minutes(7), priority: 5 });
    await add('aged', { queuedAt: minutes(0) });
    await add('lowest', { queuedAt: minutes(0), priority: -20 });

    await expect(claimAll()).resolves.toEqual(['aged', 'high', 'low', 'lowest']);
  });

  it('gives the workspaces of a queue a slot in turn, with any priorities and any number of waiting runs', async () => {
    for (const index of [0, 1, 2]) {
      await add(`a${index}`, { workspace: 'a', queuedAt: minutes(index), priority: 9 });
    }
    await add('b0', { workspace: 'b', queuedAt: minutes(10) });
    await add('none', { queuedAt: minutes(20) });
    const order: string[] = [];
    for (let next = await claim(); next !== undefined; next = await claim()) {
      order.push(next.runId);
      await runs.commit(next.runId, toOwnerEvent(toLease(next), [{ position: 0, status: 'succeeded' }], ended), {
        audit: unaudited,
      });
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
      await runs.commit(
        runId,
        toOwnerEvent(toLease({ runId, token: 1 }), [{ position: 0, status: 'succeeded' }], ended),
        { audit: unaudited },
      );
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

  it('returns as many runs of a queue as it has slots, and continues with the next queue', async () => {
    await queue.setLimits(new Map([['wide', 2]]));
    for (const id of ['a', 'b', 'c']) await add(id, { queueName: 'wide' });
    for (const id of ['d', 'e']) await add(id, { queuedAt: minutes(1) });

    expect((await claimAll()).toSorted()).toEqual(['a', 'b', 'd']);
    await expect(queue.depth()).resolves.toEqual({ waiting: 2, claimed: 3 });
    await expect(queue.depth('wide')).resolves.toEqual({ waiting: 1, claimed: 2 });
    await expect(queue.depth('none')).resolves.toEqual({ waiting: 0, claimed: 0 });
  });

  it('returns no run that waits for a slot of a paused queue, until it is resumed', async () => {
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

  it('returns the runs of a resumed queue', async () => {
    await add('a');
    await queue.pause('nightly', { pausedAt: minutes(3), pausedBy: 'ada' });
    await queue.setLimits(new Map());

    await expect(claim()).resolves.toBeUndefined();
    await queue.resume('nightly');
    await expect(queue.readPauses()).resolves.toEqual(new Map());
    await expect(claim()).resolves.toMatchObject({ runId: 'a' });
  });

  it('returns a moved run first or last, among those that need a slot', async () => {
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

  it('gives a run only to a worker with its labels, and lets others pass', async () => {
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

  it('gives the run of an expired owner only to a worker with its labels', async () => {
    await add('gpu', { workerSelector: selectorText({ gpu: 'a100' }) });
    await claim({ labels: { gpu: 'a100' } });
    await fixture.silence('one');

    await expect(claim({ owner: 'two', from: 'expired' })).resolves.toBeUndefined();
    await expect(claim({ owner: 'two', from: 'expired', labels: { gpu: 'a100' } })).resolves.toMatchObject({
      runId: 'gpu',
    });
  });
});
