import type { CreateEventSubscriptionRequest, UpdateEventSubscriptionRequest } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import { canSee, requireRole } from '../../access/access-rules';
import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import type { OutboxSignal } from './outbox/outbox-signal';
import { createDeliveryService } from './delivery-service';
import {
  mailServerMissing,
  subscriptionNotFound,
  successSubject,
  targetSealContext,
  type NotificationRepository,
  type Subscription,
  type Target,
} from './subscription';
import { addressOf, assertComplete, hostOf } from './subscription-address';

export interface NotificationServicePorts {
  readonly notifications: NotificationRepository;
  readonly outboxSignal: OutboxSignal;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly hasMailServer: boolean;
}

export type NotificationService = ReturnType<typeof createNotificationService>;

const secretBytes = 32;
const createSigningSecret = (random: RandomSource): string =>
  `whsec_${Buffer.from(random.bytes(secretBytes)).toString('base64')}`;

/** Serves the operations of managers on subscriptions of their workspaces. */
export function createNotificationService(ports: NotificationServicePorts) {
  const { notifications, sealer, clock, random, hasMailServer } = ports;
  const findManaged = async (id: string, principal: Principal): Promise<Subscription> => {
    const found = await notifications.find(id);
    if (found === undefined || !canSee(principal, found.workspace ?? undefined)) throw subscriptionNotFound(id);
    requireRole(principal, found.workspace ?? undefined, 'manager');
    return found;
  };
  const seal = (id: string, target: Target) => sealer.seal(JSON.stringify(target), targetSealContext(id));

  const sealAddress = async (before: Subscription, address: Target) => {
    const target = JSON.parse(await sealer.open(before, targetSealContext(before.id))) as Target;
    return { ...(await seal(before.id, { ...target, ...address })), host: hostOf(address) };
  };
  /** The time of a DAG starts when its subscription does. */
  const watchFromNow = async ({ id, dagName, events }: Subscription): Promise<void> => {
    if (dagName === null || !events.includes('dag.stale')) return;
    await notifications.advanceMark({ subscriptionId: id, subject: successSubject(dagName), at: clock.now() });
  };

  return {
    list: async (principal: Principal) => visibleByName(await notifications.list(), principal),

    get: findManaged,

    async create(request: CreateEventSubscriptionRequest, { principal, audit }: Requester) {
      const { name, kind, events, workspace, dagName, lateAfterSeconds, staleAfterSeconds } = request;
      const { blockedAfterSeconds = null, digestSeconds = null, repeatAfterSeconds = null } = request;
      requireRole(principal, workspace, 'manager');
      const address = addressOf(kind, request);
      if (kind === 'email' && !hasMailServer) throw mailServerMissing();
      const id = random.uuid();
      const secret = kind === 'webhook' ? createSigningSecret(random) : undefined;
      const now = clock.now();
      const subscription: Subscription = {
        id,
        name,
        kind,
        events,
        workspace: workspace ?? null,
        dagName: dagName ?? null,
        lateAfterSeconds: lateAfterSeconds ?? null,
        staleAfterSeconds: staleAfterSeconds ?? null,
        blockedAfterSeconds,
        digestSeconds,
        repeatAfterSeconds,
        mutedUntil: null,
        ...(await seal(id, { ...address, secret })),
        host: hostOf(address),
        isEnabled: true,
        disabledReason: null,
        failingSince: null,
        createdAt: now,
        updatedAt: now,
        createdBy: principal.id,
      };
      assertComplete(subscription);
      await notifications.insert(subscription, audit);
      return { subscription, secret };
    },

    async update(
      id: string,
      request: UpdateEventSubscriptionRequest,
      { principal, audit }: Requester,
    ): Promise<Subscription> {
      const before = await findManaged(id, principal);
      const { url, to } = request;
      const changes = { ...toChanges(request), updatedAt: clock.now() };
      const changed = { ...before, ...changes };
      assertComplete(changed);
      const isNew = !before.events.includes('dag.stale') || before.staleAfterSeconds === null;
      if (request.enabled === true || isNew) await watchFromNow(changed);
      const hasAddress = url !== undefined || to !== undefined;
      const address = hasAddress ? await sealAddress(before, addressOf(before.kind, { url, to })) : {};
      return notifications.update(id, { ...address, ...changes }, audit);
    },

    async remove(id: string, { principal, audit }: Requester): Promise<void> {
      await findManaged(id, principal);
      await notifications.remove(id, audit);
    },

    ...createDeliveryService(ports, findManaged),
  };
}

function toChanges(request: UpdateEventSubscriptionRequest) {
  const { name, events, lateAfterSeconds, staleAfterSeconds, enabled } = request;
  const { blockedAfterSeconds, digestSeconds, repeatAfterSeconds, mutedUntil } = request;
  return {
    ...(name === undefined ? {} : { name }),
    ...(events === undefined ? {} : { events }),
    ...(lateAfterSeconds === undefined ? {} : { lateAfterSeconds }),
    ...(staleAfterSeconds === undefined ? {} : { staleAfterSeconds }),
    ...(blockedAfterSeconds === undefined ? {} : { blockedAfterSeconds }),
    ...(digestSeconds === undefined ? {} : { digestSeconds }),
    ...(repeatAfterSeconds === undefined ? {} : { repeatAfterSeconds }),
    ...(mutedUntil === undefined ? {} : { mutedUntil: mutedUntil === null ? null : new Date(mutedUntil) }),
    ...(enabled === undefined ? {} : { isEnabled: enabled }),
    ...(enabled === true ? { disabledReason: null, failingSince: null } : {}),
  };
}

function visibleByName(subscriptions: readonly Subscription[], principal: Principal): readonly Subscription[] {
  return subscriptions
    .filter(({ workspace }) => canSee(principal, workspace ?? undefined))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
