import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { OccurrencesSkipped } from '../scheduler';
import { writePayload } from './event-payload';
import type { OutboxSignal } from './outbox/outbox-signal';
import { concerns, isListening, newDelivery, skippedSubject, type NotificationRepository } from './subscription';

export interface TellSkippedPorts {
  readonly notifications: NotificationRepository;
  readonly outboxSignal: OutboxSignal;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

export type TellSkipped = (
  skipped: Omit<OccurrencesSkipped, 'first' | 'last' | 'count'>,
  occurrences: readonly Date[],
) => Promise<void>;

/**
 * Alerts subscriptions of occurrences without a run, once for each occurrence: if a scheduler dies before it has
 * settled them, the next one does. Occurrences that the DAG skips after a success,
 * and those that its calendar excludes, cause no alert.
 */
export function createTellSkipped({ notifications, outboxSignal, clock, random }: TellSkippedPorts): TellSkipped {
  return async ({ dagName, workspace, reason, error }, occurrences) => {
    if (reason === 'successful' || reason === 'calendar') return;
    for (const subscription of await notifications.list()) {
      const { id: subscriptionId, events } = subscription;
      const isWanted = isListening(subscription, clock.now()) && events.includes('schedule.skipped');
      if (!isWanted || !concerns(subscription, { dagName, workspace })) continue;
      const subject = skippedSubject(dagName);
      const told = await notifications.findMark(subscriptionId, subject);
      const untold = occurrences.filter((occurrence) => told === undefined || occurrence > told);
      const [first] = untold;
      const last = untold.at(-1);
      if (first === undefined || last === undefined) continue;
      const now = clock.now();
      const span = { first: first.toISOString(), last: last.toISOString(), count: untold.length };
      const payload = writePayload('schedule.skipped', now, { dagName, workspace, reason, ...span, error });
      const delivery = newDelivery(subscription, { id: random.uuid(), type: 'schedule.skipped', payload }, now);
      if (await notifications.alert({ subscriptionId, subject, at: last }, delivery)) outboxSignal.raise();
    }
  };
}
