import { systemTimer } from '@weir/workflow-engine/model';
import { createRecordingLogger, waitFor } from '@weir/test-kit';
import { unaudited } from '../../access/audited-operation';
import { systemClock } from '../../adapters/clock';
import { systemRandom } from '../../adapters/random-source';
import { createLocalKey, createSealer } from '../../encryption';
import { aSubscription } from '../../testing/a-subscription';
import { createDispatcher, retryWaitsMs } from './dispatcher';
import { createInMemoryNotificationRepository } from './in-memory-notification-repository';
import { createOutboxSignal } from './outbox/outbox-signal';
import { targetSealContext, type EventDelivery } from './subscription';

const sealer = createSealer(() => Promise.resolve([createLocalKey(Buffer.alloc(32, 1))]));
const at = new Date('2026-01-01T00:00:00Z');

async function dispatchOnce(attempts: number) {
  const sealed = await sealer.seal(JSON.stringify({ url: 'http://10.0.0.1/' }), targetSealContext('s'));
  const subscription = aSubscription({ ...sealed, createdAt: at, updatedAt: at });
  const payload = JSON.stringify({ type: 'run.failed', data: {} });
  const delivery: EventDelivery = {
    id: 'd',
    subscriptionId: 's',
    type: 'run.failed',
    payload,
    status: 'pending',
    attempts,
    createdAt: at,
    nextAttemptAt: at,
    deliveredAt: null,
    responseStatus: null,
    error: null,
  };
  const settled: Partial<EventDelivery>[] = [];
  const stored = createInMemoryNotificationRepository();
  await stored.insert(subscription, unaudited);
  const notifications = {
    ...stored,
    listDue: () => Promise.resolve(settled.length === 0 ? [delivery] : []),
    claim: () => Promise.resolve(true),
    settle: (_: string, changes: Partial<EventDelivery>) => {
      settled.push(changes);
      return Promise.resolve();
    },
  };
  const dispatcher = createDispatcher({
    notifications,
    sealer,
    clock: systemClock,
    timer: systemTimer,
    random: systemRandom,
    publicUrl: undefined,
    outboxSignal: createOutboxSignal(),
    logger: createRecordingLogger(),
    eventNetworks: [],
    runs: {
      listRecent: () => Promise.resolve(new Map()),
      scan: () => Promise.resolve([]),
      listSummaries: () => Promise.resolve(new Map()),
    },
    queue: {
      listQueues: () => Promise.resolve([]),
      listWaiting: () => Promise.resolve([]),
      readPauses: () => Promise.resolve(new Map()),
    },
    sendMail: () => Promise.resolve(),
  });
  dispatcher.start();
  await waitFor(async () => (await stored.find('s'))?.failingSince, { what: 'the failure' });
  await dispatcher.stop();
  return { settled: settled[0], subscription: await stored.find('s') };
}

describe('createDispatcher', () => {
  it('leaves a subscription enabled while an event is to be sent again', async () => {
    const { settled, subscription } = await dispatchOnce(0);

    expect(settled).toMatchObject({ status: 'pending', nextAttemptAt: expect.any(Date) as Date });
    expect(subscription).toMatchObject({ isEnabled: true, disabledReason: null });
  });

  it('gives up after the last attempt and disables the subscription, with the reason', async () => {
    const { settled, subscription } = await dispatchOnce(retryWaitsMs.length);

    expect(settled).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(subscription).toMatchObject({
      isEnabled: false,
      disabledReason: expect.stringContaining('10 times in vain') as string,
    });
  });
});
