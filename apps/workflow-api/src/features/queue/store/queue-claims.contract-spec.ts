import { toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import type { QueueClaim } from './queue-driver';
import { later, minutes, useQueue, type QueueFixture } from '../../../testing/use-queue';

const ended = { status: 'succeeded', finishedAt: minutes(5), error: null } as const;

describe.each(storeKinds)('the claims of a queue on %s', (kind) => {
  const { fixture: current, add, claim, claimAll } = useQueue(kind);
  let fixture: QueueFixture;
  let queue: QueueFixture['queue'];
  let runs: QueueFixture['runs'];
  beforeEach(() => {
    fixture = current();
    ({ queue, runs } = fixture);
  });
  const toLease = ({ token }: QueueClaim, ownerId = 'one') => ({ ownerId, token });

  it('frees the slot in the transaction that ends the run', async () => {
    await add('a');
    await add('b', { queuedAt: minutes(1) });
    const first = await claim();
    await expect(claim()).resolves.toBeUndefined();

    await runs.commit(
      'a',
      toOwnerEvent(toLease(first ?? { runId: 'a', token: 0 }), [{ position: 0, status: 'succeeded' }], ended),
      { audit: unaudited },
    );
    await expect(claim()).resolves.toMatchObject({ runId: 'b' });
    await expect(queue.depth()).resolves.toEqual({ waiting: 0, claimed: 1 });
  });

  it('frees the slot of a run that begins to wait, and raises its token further', async () => {
    await add('a');
    await add('b', { queuedAt: minutes(1) });
    const first = await claim();
    const waiting = { status: 'waiting', finishedAt: null, error: null } as const;
    const waits = [{ position: 0, status: 'waiting' }] as const;
    await runs.commit('a', toOwnerEvent(toLease(first ?? { runId: 'a', token: 0 }), waits, waiting), {
      audit: unaudited,
    });
    await expect(claimAll()).resolves.toEqual(['b']);
    await runs.commit(
      'a',
      { kind: 'child_ended', step: { scope: '', position: 0 }, at: minutes(3) },
      { audit: unaudited },
    );
    await queue.setLimits(new Map([['nightly', 2]]));

    await expect(claim()).resolves.toEqual({ runId: 'a', token: 2 });
    await expect(runs.findById('a')).resolves.toMatchObject({ startedAt: later });
  });

  it('returns a run that needs no slot at once, and counts it', async () => {
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

  it('returns a released run again, after a while and with a new token', async () => {
    await add('a');
    const first = (await claim()) ?? { runId: 'a', token: 0 };

    await expect(queue.fail({ ...first, owner: 'two' }, minutes(30))).resolves.toBe(false);
    await expect(queue.fail({ ...first, owner: 'one' }, minutes(30))).resolves.toBe(true);
    await expect(queue.fail({ ...first, owner: 'one' }, minutes(30))).resolves.toBe(false);
    await expect(claim({ at: minutes(29) })).resolves.toBeUndefined();
    await expect(
      runs.commit('a', toOwnerEvent(toLease(first), [], ended), { audit: unaudited }),
    ).resolves.toBeUndefined();
    await expect(claim({ at: minutes(31), owner: 'two' })).resolves.toEqual({ runId: 'a', token: 2 });
  });

  it('gives the run of an expired owner to another one, whose token fences the old one', async () => {
    await add('a');
    const first = (await claim()) ?? { runId: 'a', token: 0 };
    await runs.commit('a', { kind: 'stop_requested', at: minutes(1), error: 'run stopped' }, { audit: unaudited });
    await fixture.silence('one');

    await expect(claim({ owner: 'one', from: 'expired' })).resolves.toBeUndefined();
    await expect(claim({ owner: 'two', from: 'expired' })).resolves.toEqual({ runId: 'a', token: 2 });
    await expect(claim({ owner: 'two', from: 'expired' })).resolves.toBeUndefined();
    await expect(
      runs.commit(
        'a',
        { kind: 'steps_changed', lease: toLease(first), patches: [{ position: 0, status: 'running' }] },
        { audit: unaudited },
      ),
    ).resolves.toBeUndefined();
    await expect(
      runs.commit('a', toOwnerEvent(toLease({ runId: 'a', token: 2 }, 'two'), [], ended), { audit: unaudited }),
    ).resolves.toBeDefined();
    await expect(runs.findById('a')).resolves.toMatchObject({ status: 'succeeded', stopRequestedAt: minutes(1) });
  });

  it('records the takeover of a run, with its cause', async () => {
    await add('a');
    const first = (await claim({ at: minutes(1) })) ?? { runId: 'a', token: 0 };
    await runs.commit(
      'a',
      {
        kind: 'steps_changed',
        lease: toLease(first),
        patches: [{ position: 0, status: 'running' }],
      },
      { audit: unaudited },
    );
    await runs.commit(
      'a',
      {
        kind: 'steps_changed',
        lease: toLease(first),
        patches: [{ position: 0, status: 'succeeded' }],
      },
      { audit: unaudited },
    );
    await fixture.silence('one');
    const second = (await claim({ owner: 'two', from: 'expired', at: minutes(2) })) ?? first;
    await runs.commit('a', { kind: 'released', lease: toLease(second, 'two') }, { audit: unaudited });
    await fixture.silence('two');
    await fixture.beat('three');
    await claim({ owner: 'three', from: 'expired', at: minutes(3) });

    const interrupted = { status: 'interrupted', exitCode: null, error: null };
    await expect(runs.listAttempts('a', 10)).resolves.toEqual([
      {
        number: 1,
        attempt: 1,
        cause: 'start',
        reusedSteps: 0,
        startedAt: minutes(1),
        ended: { ...interrupted, finishedAt: minutes(2), ownerId: 'one' },
      },
      {
        number: 2,
        attempt: 1,
        cause: 'take_over',
        reusedSteps: 1,
        startedAt: minutes(2),
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

  it('never gives one run to two claimers, nor more runs than there are slots', async () => {
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
    await runs.commit('a', { kind: 'dequeue_requested', at: minutes(1), error: 'run stopped' }, { audit: unaudited });

    await expect(queue.depth()).resolves.toEqual({ waiting: 0, claimed: 0 });
    await expect(claim()).resolves.toBeUndefined();
  });

  it('notifies its listeners when a run is in its queue again, until they unsubscribe', async () => {
    let calls = 0;
    const unsubscribe = queue.subscribe(() => (calls += 1));
    await add('a', { status: 'failed' });
    await runs.commit(
      'a',
      { kind: 'retried', at: minutes(1), attempt: 1, by: 'manual', reusedSteps: 0, steps: [] },
      { audit: unaudited },
    );
    expect(calls).toBeGreaterThan(0);
    unsubscribe();
    const before = calls;
    queue.announce();

    expect(calls).toBe(before);
  });
});
