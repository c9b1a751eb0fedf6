import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { NotificationService } from './notification-service';
import { presentDelivery, presentSubscription } from './subscription';

export function bindNotificationRoutes(bind: Bind, service: NotificationService): void {
  bind(workflowContract.listEventSubscriptions, async ({ principal }) => {
    return { subscriptions: (await service.list(principal)).map(presentSubscription) };
  });

  bind(workflowContract.createEventSubscription, async ({ input: { body }, principal, audit }) => {
    const { subscription, secret } = await service.create(body, { principal, audit });
    return { subscription: presentSubscription(subscription), ...(secret === undefined ? {} : { secret }) };
  });

  bind(workflowContract.getEventSubscription, async ({ input: { params }, principal }) => {
    return presentSubscription(await service.get(params.subscriptionId, principal));
  });

  bind(workflowContract.updateEventSubscription, async ({ input: { params, body }, principal, audit }) => {
    return presentSubscription(await service.update(params.subscriptionId, body, { principal, audit }));
  });

  bind(workflowContract.deleteEventSubscription, async ({ input: { params }, principal, audit }) => {
    await service.remove(params.subscriptionId, { principal, audit });
  });

  bind(workflowContract.listEventDeliveries, async ({ input: { params, query }, principal }) => {
    const deliveries = await service.listDeliveries(params.subscriptionId, query.limit, principal);
    return { deliveries: deliveries.map(presentDelivery) };
  });

  bind(workflowContract.testEventSubscription, async ({ input: { params }, principal }) => {
    return presentDelivery(await service.test(params.subscriptionId, principal));
  });

  bind(workflowContract.redeliverEvent, async ({ input: { params }, principal }) => {
    return presentDelivery(await service.redeliver(params.subscriptionId, params.deliveryId, principal));
  });
}
