import { toOwnerEvent } from '@weir/workflow-engine/testing';
import { unaudited } from '../../../access/audited-operation';
import { storeKinds } from '../../../testing/test-stores';
import type { QueueClaim } from './queue-driver';
import { minutes, useQueue, type QueueFixture } from '../../../testing/use-queue';

const everywhere = { unassigned: true, named: 'all' } as const;
const maxFailures = 2;

describe.each(storeKinds)('runs that are given up, on %s', (kind) => {
  const { fixture: current, add } = useQueue(kind, { maxFailures });
  let fixture: QueueFixture;
  beforeEach(() => {
    fixture = current();
  });

  const claim = async (owner: string, from: 'queue' | 'expired' = 'queue', minute = 10): Promise<QueueClaim> => {
    const found = await fixture.queue.claim({ owner, labels: {}, at: minutes(minute), from });
    if (found === undefined) throw new Error('Nothing could be claimed.');
    return found;
  };
  const list = () => fixture.queue.listDeadLetters({ workspaces: everywhere, limit: 10 });

  it('are those whose workers were lost as often as the limit allows', async () => {
    await add('a', { workspace: 'ops' });
    await claim('one');
    await fixture.silence('one');
    await expect(claim('two', 'expired')).resolves.toEqual({ runId: 'a', token: 2 });
    await expect(list()).resolves.toEqual([]);
    await fixture.silence('two');

    await expect(claim('three', 'expired', 20)).resolves.toEqual({
      runId: 'a',
      token: 3,
      givenUp: { reason: 'worker_lost', failures: 2 },
    });
    const letter = { runId: 'a', queueName: 'nightly', reason: 'worker_lost', failures: 2, at: minutes(20) };
    await expect(list()).resolves.toEqual([letter]);
    const query = { workspaces: everywhere, limit: 10 };
    await expect(fixture.queue.listDeadLetters({ ...query, queueName: 'other' })).resolves.toEqual([]);
    const sales = { unassigned: true, named: ['sales'] };
    await expect(fixture.queue.listDeadLetters({ ...query, workspaces: sales })).resolves.toEqual([]);
  });

  it('are those that no worker could execute', async () => {
    await add('a');
    for (const minute of [10, 20]) {
      const { givenUp, ...found } = await claim('one', 'queue', minute);
      expect(givenUp).toBeUndefined();
      await fixture.queue.fail({ ...found, owner: 'one' }, minutes(minute + 5));
    }

    await expect(claim('one', 'queue', 30)).resolves.toMatchObject({
      givenUp: { reason: 'not_executed', failures: 2 },
    });
  });

  it('are not those whose steps pass in between', async () => {
    await add('a');
    const { token } = await claim('one');
    await fixture.silence('one');
    const second = await claim('two', 'expired');
    const lease = { ownerId: 'two', token: second.token };
    for (const status of ['running', 'succeeded'] as const) {
      await fixture.runs.commit(
        'a',
        { kind: 'steps_changed', lease, patches: [{ position: 0, status }] },
        { audit: unaudited },
      );
    }
    await fixture.silence('two');

    await expect(claim('three', 'expired')).resolves.toEqual({ runId: 'a', token: token + 2 });
    await expect(list()).resolves.toEqual([]);
  });

  it('are not those whose workers gave them back', async () => {
    await add('a');
    for (const [owner, next] of [
      ['one', 'two'],
      ['two', 'three'],
    ] as const) {
      const { token } = owner === 'one' ? await claim(owner) : { token: 2 };
      await fixture.runs.commit('a', { kind: 'released', lease: { ownerId: owner, token } }, { audit: unaudited });
      await fixture.silence(owner);
      await expect(claim(next, 'expired')).resolves.toEqual({ runId: 'a', token: token + 1 });
    }
  });

  it('leave the list when they are retried, and begin to count again', async () => {
    await add('a');
    await claim('one');
    await fixture.silence('one');
    await claim('two', 'expired');
    await fixture.silence('two');
    const { token } = await claim('three', 'expired');
    const ended = { status: 'failed', finishedAt: minutes(30), error: 'given up' } as const;
    await fixture.runs.commit(
      'a',
      toOwnerEvent({ ownerId: 'three', token }, [{ position: 0, status: 'aborted' }], ended),
      { audit: unaudited },
    );
    await expect(list()).resolves.toHaveLength(1);
    const [step] = await fixture.runs.listSteps('a');
    const steps = step === undefined ? [] : [step];
    await fixture.runs.commit(
      'a',
      {
        kind: 'retried',
        at: minutes(31),
        attempt: 1,
        by: 'manual',
        reusedSteps: 0,
        steps,
      },
      { audit: unaudited },
    );

    await expect(list()).resolves.toEqual([]);
    const { givenUp, runId } = await claim('three', 'queue', 40);
    expect({ givenUp, runId }).toEqual({ givenUp: undefined, runId: 'a' });
  });
});
