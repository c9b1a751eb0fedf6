import { runStatus, type Clock, type Timer } from '@weir/workflow-engine/model';
import type { Logger } from '@weir/service-kit';
import type { EventType } from '@weir/workflow-contract/schemas';
import { unaudited } from '../../access/audited-operation';
import type { RandomSource } from '../../adapters/random-source';
import { pause } from '../../adapters/pause';
import type { QueueReads } from '../queue/store';
import type { DagRunRepository } from '../runs';
import { eventPayload } from './event-payload';
import type { OutboxSignal } from './outbox/outbox-signal';
import { raiseAlerts } from './raise-alerts';
import { sendDeliveries, type SendPorts } from './send-delivery';
import {
  concerns,
  isListening,
  newDelivery,
  successSubject,
  toldSubject,
  type AlertMark,
  type EventDelivery,
  type NotificationRepository,
  type OutboxEvent,
  type Subscription,
} from './subscription';

export interface DispatcherPorts extends SendPorts {
  readonly notifications: NotificationRepository;
  readonly outboxSignal: OutboxSignal;
  readonly runs: Pick<DagRunRepository, 'listRecent' | 'scan' | 'listSummaries'>;
  readonly queue: Pick<QueueReads, 'listQueues' | 'listWaiting' | 'readPauses'>;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Pick<RandomSource, 'uuid'>;
  /** The address of this server, to which events link. */
  readonly publicUrl: string | undefined;
  readonly logger: Logger;
}

/** The interval for polling events of other processes: they announce the end of a run, but not every event. */
const idleMs = 15_000;
const batch = 20;
/** The number of events of one message. */
const maxDigest = 500;
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

/** Sends what is due, and returns the milliseconds until the next poll. */
export async function dispatchBatch(ports: DispatcherPorts, signal: AbortSignal): Promise<number> {
  const { notifications, clock } = ports;
  const events = await notifications.listOutbox(batch);
  const subscriptions = await notifications.list();
  for (const event of events) {
    const reached = subscriptions.filter((each) => each.isEnabled && concerns(each, event));
    const { deliveries, told } = await deliveriesOf(ports, event, reached);
    await notifications.expand(event, deliveries, [...told, ...marksOf(event, reached)]);
  }
  // Alerts wait until all events are known: a success among them may be the missing one.
  if (events.length < batch) await raiseAlerts(ports, subscriptions);
  const due = await notifications.listDue(clock.now(), batch);
  if (due.length === 0) return idleMs;
  const received = await Promise.all(
    (await together(ports, due, subscriptions)).map((one) => send(ports, one, signal)),
  );
  if (events.length === batch || due.length === batch) return 0;
  return received.every(Boolean) ? idleMs : (retryWaitsMs[0] ?? idleMs);
}

async function deliveriesOf(
  { notifications, runs, random, clock, publicUrl }: DispatcherPorts,
  event: OutboxEvent,
  reached: readonly Subscription[],
): Promise<{ readonly deliveries: readonly EventDelivery[]; readonly told: readonly AlertMark[] }> {
  const hasRecovered =
    event.type === null &&
    event.status === 'succeeded' &&
    reached.some(({ events }) => events.includes('run.recovered')) &&
    (await followsFailure(runs, event));
  // The outbox has only types and statuses of events.
  const type = (event.type ?? `run.${event.status}`) as EventType;
  const types = [type, ...(hasRecovered ? ['run.recovered' as const] : [])];
  const now = clock.now();
  const deliveries: EventDelivery[] = [];
  const told: AlertMark[] = [];
  for (const subscription of reached.filter((each) => isListening(each, event.occurredAt))) {
    const { id: subscriptionId, events, repeatAfterSeconds } = subscription;
    for (const type of types.filter((each) => events.includes(each))) {
      if (repeatAfterSeconds !== null && type !== 'run.recovered') {
        if (await isRepetition(notifications, subscription, { event, type })) continue;
        told.push({ subscriptionId, subject: toldSubject(type, event), at: event.occurredAt });
      }
      const payload = eventPayload(event, type, publicUrl);
      deliveries.push(newDelivery(subscription, { id: random.uuid(), type, payload }, now));
    }
  }
  return { deliveries, told };
}

/** A success of the DAG ends its problems: those that follow are told at once. */
async function isRepetition(
  notifications: Pick<NotificationRepository, 'findMark'>,
  { id, repeatAfterSeconds }: Subscription,
  { event, type }: { readonly event: OutboxEvent; readonly type: EventType },
): Promise<boolean> {
  const last = await notifications.findMark(id, toldSubject(type, event));
  if (last === undefined) return false;
  if (event.occurredAt.getTime() - last.getTime() >= (repeatAfterSeconds ?? 0) * second) return false;
  if (type === 'run.succeeded' || type === 'run.partially_succeeded') return true;
  const success = await notifications.findMark(id, successSubject(event.dagName));
  return success === undefined || success < last;
}

/** Returns the marks of a DAG's success for subscriptions that are alerted when it does not succeed, or for which it ends what was told. */
function marksOf({ type, status, dagName, occurredAt: at }: OutboxEvent, reached: readonly Subscription[]) {
  if (type !== null || (status !== 'succeeded' && status !== 'partially_succeeded')) return [];
  return reached
    .filter(
      ({ events, dagName: only, repeatAfterSeconds }) =>
        repeatAfterSeconds !== null || (only !== null && events.includes('dag.stale')),
    )
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

/** Deliveries that are sent as one. */
interface Shipment {
  readonly subscription: Subscription;
  readonly deliveries: readonly EventDelivery[];
}

/** A digest has all that is due, and takes along what is not due yet; tests and webhooks are sent alone. */
async function together(
  { notifications, clock }: Pick<DispatcherPorts, 'notifications' | 'clock'>,
  due: readonly EventDelivery[],
  subscriptions: readonly Subscription[],
): Promise<readonly Shipment[]> {
  const shipments: Shipment[] = [];
  for (const [id, deliveries] of Map.groupBy(due, ({ subscriptionId }) => subscriptionId)) {
    const subscription = subscriptions.find((each) => each.id === id);
    if (subscription === undefined) continue;
    const isCollected = ({ type }: EventDelivery): boolean =>
      subscription.digestSeconds !== null && type !== 'subscription.test';
    const alone = deliveries.filter((each) => !isCollected(each));
    shipments.push(...alone.map((delivery) => ({ subscription, deliveries: [delivery] })));
    if (alone.length === deliveries.length) continue;
    const digest = (await notifications.listUnsent(id, clock.now(), maxDigest)).filter(isCollected);
    shipments.push({ subscription, deliveries: digest });
  }
  return shipments;
}

/** Whether the deliveries were received, or another process sends them. */
async function send(
  ports: DispatcherPorts,
  { subscription, deliveries }: Shipment,
  signal: AbortSignal,
): Promise<boolean> {
  const { notifications, clock } = ports;
  const until = new Date(clock.now().getTime() + claimMs);
  const claimed: EventDelivery[] = [];
  for (const delivery of deliveries) if (await notifications.claim(delivery, until)) claimed.push(delivery);
  const [first, ...others] = claimed;
  if (first === undefined) return true;
  const { status, problem } = await sendDeliveries(ports, subscription, [first, ...others], signal);
  const now = clock.now();
  const answer = { responseStatus: status ?? null, error: problem ?? null };
  const settleAll = async (changes: Partial<EventDelivery>): Promise<void> => {
    for (const { id } of claimed) await notifications.settle(id, { ...answer, ...changes });
  };
  if (problem === undefined) {
    await settleAll({ status: 'delivered', deliveredAt: now, nextAttemptAt: null });
    if (subscription.failingSince !== null) {
      await notifications.update(subscription.id, { failingSince: null }, unaudited);
    }
    return true;
  }
  const attempts = Math.max(...claimed.map((each) => each.attempts));
  const waitMs = retryWaitsMs[attempts];
  const next = waitMs === undefined ? null : new Date(now.getTime() + waitMs);
  await settleAll({ status: next === null ? 'failed' : 'pending', nextAttemptAt: next });
  const changes = {
    failingSince: subscription.failingSince ?? now,
    ...(next === null
      ? { isEnabled: false, disabledReason: `An event was sent ${attempts + 1} times in vain: ${problem}.` }
      : {}),
  };
  await notifications.update(subscription.id, changes, unaudited);
  return false;
}
