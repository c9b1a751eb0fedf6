import { runStatus, type Clock, type Timer } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import type { EventType } from '@weir/workflow-contract/schemas';
import { unaudited } from '../../access/audited-operation';
import type { RandomSource } from '../../adapters/random-source';
import { pause } from '../../adapters/pause';
import type { DagRunRepository } from '../runs';
import { eventPayload } from './event-payload';
import type { OutboxSignal } from './outbox/outbox-signal';
import { raiseAlerts } from './raise-alerts';
import { sendDelivery, type SendPorts } from './send-delivery';
import {
  concerns,
  newDelivery,
  successSubject,
  type AlertMark,
  type EventDelivery,
  type NotificationRepository,
  type OutboxEvent,
  type Subscription,
} from './subscription';

export interface DispatcherPorts extends SendPorts {
  readonly notifications: NotificationRepository;
  readonly outboxSignal: OutboxSignal;
  readonly runs: Pick<DagRunRepository, 'listRecent' | 'scan'>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Pick<RandomSource, 'uuid'>;
  readonly logger: Logger;
}

/** The interval for polling events of other processes: they announce the end of a run, but not every event. */
const idleMs = 15_000;
const batch = 20;
/** A delivery whose process died is claimed again after this time. */
const claimMs = 60_000;
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** The waits after failed attempts take about three days in all. */
export const retryWaitsMs: readonly number[] = [
  ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

/** Sends events from the outbox to the subscriptions, each at least once. */
export function createDispatcher(ports: DispatcherPorts) {
  const { outboxSignal, timer, logger } = ports;
  const stopping = new AbortController();
  let woken = new AbortController();
  let loop: Promise<void> = Promise.resolve();

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      woken = new AbortController();
      const waitMs = await dispatchBatch(ports, stopping.signal).catch((error: unknown) => {
        logger.warn({ error }, 'events could not be sent');
        return idleMs;
      });
      await pause(timer, waitMs, AbortSignal.any([stopping.signal, woken.signal]));
    }
  };

  return {
    start(): void {
      outboxSignal.listen(() => woken.abort());
      loop = run();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await loop;
    },
  };
}

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Returns the milliseconds until the next poll. */
async function dispatchBatch(ports: DispatcherPorts, signal: AbortSignal): Promise<number> {
  const { notifications, clock } = ports;
  const events = await notifications.listOutbox(batch);
  const subscriptions = await notifications.list();
  for (const event of events) {
    const reached = subscriptions.filter((each) => each.isEnabled && concerns(each, event));
    await notifications.expand(event, await deliveriesOf(ports, event, reached), marksOf(event, reached));
  }
  // Alerts wait until all events are known: a success among them may be the missing one.
  if (events.length < batch) await raiseAlerts(ports, subscriptions);
  const due = await notifications.listDue(clock.now(), batch);
  if (due.length === 0) return idleMs;
  const received = await Promise.all(due.map((delivery) => send(ports, { delivery, subscriptions, signal })));
  if (events.length === batch || due.length === batch) return 0;
  return received.every(Boolean) ? idleMs : (retryWaitsMs[0] ?? idleMs);
}

async function deliveriesOf(
  { runs, random, clock }: DispatcherPorts,
  event: OutboxEvent,
  reached: readonly Subscription[],
): Promise<readonly EventDelivery[]> {
  const hasRecovered =
    event.type === null &&
    event.status === 'succeeded' &&
    reached.some(({ events }) => events.includes('run.recovered')) &&
    (await followsFailure(runs, event));
  // The outbox has only types and statuses of events.
  const type = (event.type ?? `run.${event.status}`) as EventType;
  const types = [type, ...(hasRecovered ? ['run.recovered' as const] : [])];
  const now = clock.now();
  return reached.flatMap(({ id: subscriptionId, events }) =>
    types
      .filter((type) => events.includes(type))
      .map((type) => newDelivery({ id: random.uuid(), subscriptionId, type, payload: eventPayload(event, type) }, now)),
  );
}

/** Returns the marks of a DAG's success for subscriptions that are alerted when it does not succeed. */
function marksOf({ type, status, dagName, occurredAt: at }: OutboxEvent, reached: readonly Subscription[]) {
  if (type !== null || (status !== 'succeeded' && status !== 'partially_succeeded')) return [];
  return reached
    .filter(({ events, dagName: only }) => only !== null && events.includes('dag.stale'))
    .map(({ id: subscriptionId }): AlertMark => ({ subscriptionId, subject: successSubject(dagName), at }));
}

const recentRuns = 20;

/** Whether the previous ended run has failed. */
async function followsFailure(runs: DispatcherPorts['runs'], { dagName, runId }: OutboxEvent): Promise<boolean> {
  const recent = (await runs.listRecent([dagName], recentRuns)).get(dagName) ?? [];
  const position = recent.findIndex(({ id }) => id === runId);
  const before = position === -1 ? [] : recent.slice(position + 1);
  return before.find(({ status }) => runStatus.isTerminal(status))?.status === 'failed';
}

/** Whether the delivery was received, or another process sends it. */
async function send(
  ports: DispatcherPorts,
  {
    delivery,
    subscriptions,
    signal,
  }: {
    readonly delivery: EventDelivery;
    readonly subscriptions: readonly Subscription[];
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  const { notifications, clock } = ports;
  const subscription = subscriptions.find(({ id }) => id === delivery.subscriptionId);
  const until = new Date(clock.now().getTime() + claimMs);
  if (subscription === undefined || !(await notifications.claim(delivery, until))) return true;
  const { status, problem } = await sendDelivery(ports, subscription, delivery, signal);
  const now = clock.now();
  const answer = { responseStatus: status ?? null, error: problem ?? null };
  if (problem === undefined) {
    const received = { status: 'delivered', deliveredAt: now, nextAttemptAt: null } as const;
    await notifications.settle(delivery.id, { ...answer, ...received });
    if (subscription.failingSince !== null) {
      await notifications.update(subscription.id, { failingSince: null }, unaudited);
    }
    return true;
  }
  const waitMs = retryWaitsMs[delivery.attempts];
  const next = waitMs === undefined ? null : new Date(now.getTime() + waitMs);
  await notifications.settle(delivery.id, {
    ...answer,
    status: next === null ? 'failed' : 'pending',
    nextAttemptAt: next,
  });
  const changes = {
    failingSince: subscription.failingSince ?? now,
    ...(next === null
      ? { isEnabled: false, disabledReason: `An event was sent ${delivery.attempts + 1} times in vain: ${problem}.` }
      : {}),
  };
  await notifications.update(subscription.id, changes, unaudited);
  return false;
}
