import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Principal } from '../../access/principal';
import { writePayload } from './event-payload';
import type { OutboxSignal } from './outbox/outbox-signal';
import {
  eventDeliveryNotFound,
  newDelivery,
  subscriptionDisabled,
  type EventDelivery,
  type NotificationRepository,
  type Subscription,
} from './subscription';

interface DeliveryServicePorts {
  readonly notifications: NotificationRepository;
  readonly outboxSignal: OutboxSignal;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

/** Serves the operations of managers on the deliveries of a subscription, which `findManaged` finds. */
export function createDeliveryService(
  { notifications, outboxSignal, clock, random }: DeliveryServicePorts,
  findManaged: (id: string, principal: Principal) => Promise<Subscription>,
) {
  return {
    async listDeliveries(id: string, limit: number, principal: Principal): Promise<readonly EventDelivery[]> {
      await findManaged(id, principal);
      return notifications.listDeliveries(id, limit);
    },

    /** Sends a delivery that is marked as a test. */
    async test(id: string, principal: Principal): Promise<EventDelivery> {
      const { name, isEnabled } = await findManaged(id, principal);
      if (!isEnabled) throw subscriptionDisabled(name);
      const now = clock.now();
      const payload = writePayload('subscription.test', now, { subscription: name });
      const fields = { id: random.uuid(), type: 'subscription.test', payload } as const;
      const delivery = newDelivery({ id, digestSeconds: null }, fields, now);
      await notifications.insertDelivery(delivery);
      outboxSignal.raise();
      return delivery;
    },

    async redeliver(id: string, deliveryId: string, principal: Principal): Promise<EventDelivery> {
      await findManaged(id, principal);
      const delivery = await notifications.redeliver(id, deliveryId, clock.now());
      if (delivery === undefined) throw eventDeliveryNotFound(deliveryId);
      outboxSignal.raise();
      return delivery;
    },
  };
}
