import { AppError } from '@weir/foundation';
import type { DeliveryType, EventSubscription as Presented, EventType } from '@weir/workflow-contract/schemas';
import type { AuditedOperation } from '../../access/audited-operation';
import type { SealedRows } from '../../encryption';

/** The target of events, and their selection. */
export interface Subscription {
  readonly id: string;
  readonly name: string;
  readonly kind: Presented['kind'];
  readonly events: readonly EventType[];
  /** Null for all workspaces. */
  readonly workspace: string | null;
  /** Null for all DAGs. */
  readonly dagName: string | null;
  /** The time after which a run is late; null compares it with the usual duration of its DAG. */
  readonly lateAfterSeconds: number | null;
  /** The time that the DAG may spend without a success. */
  readonly staleAfterSeconds: number | null;
  /** The time that the next run of a queue may wait while none is executed; null for the usual one. */
  readonly blockedAfterSeconds: number | null;
  /** The time for which events are collected for one message; null to send each at once. */
  readonly digestSeconds: number | null;
  /** The time after which an equal event is sent again; null for each time. */
  readonly repeatAfterSeconds: number | null;
  readonly mutedUntil: Date | null;
  readonly host: string;
  /** The id of the key that seals the target. */
  readonly keyId: string;
  readonly text: string;
  readonly isEnabled: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string;
}

/** The sealed part of a subscription. */
export interface Target {
  /** Given for all kinds except email, which has `to`. */
  readonly url?: string | undefined;
  readonly to?: string | undefined;
  /** The key for signatures; only for the kind webhook. */
  readonly secret?: string | undefined;
}

/** An event of a run or of one of its steps that is to be sent. */
export interface OutboxEvent {
  readonly id: string;
  readonly occurredAt: Date;
  readonly runId: string;
  readonly dagName: string;
  readonly dagRunId: string;
  readonly workspace: string | null;
  readonly status: string;
  readonly error: string | null;
  /** Null for the change of the run to its status. */
  readonly type: string | null;
  readonly step: string | null;
}

/** Marks an alert about a subject that a subscription gets once: `at` grows with each further alert about it. */
export interface AlertMark {
  readonly subscriptionId: string;
  readonly subject: string;
  readonly at: Date;
}

/** An event on its way to a subscription. */
export interface EventDelivery {
  readonly id: string;
  readonly subscriptionId: string;
  readonly type: DeliveryType;
  readonly payload: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly createdAt: Date;
  /** The time of the next attempt of a pending delivery. */
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly responseStatus: number | null;
  readonly error: string | null;
}

/** The number of deliveries of one subscription that are retained, besides the pending ones. */
export const retainedEventDeliveries = 1_000;

export interface NotificationRepository extends SealedRows {
  list(): Promise<readonly Subscription[]>;
  find(id: string): Promise<Subscription | undefined>;
  insert(subscription: Subscription, audit: AuditedOperation): Promise<void>;
  /** Returns the subscription afterwards. Throws `subscription_not_found`. */
  update(id: string, changes: Partial<Omit<Subscription, 'id'>>, audit: AuditedOperation): Promise<Subscription>;
  /** Removes the subscription with its deliveries. Throws `subscription_not_found`. */
  remove(id: string, audit: AuditedOperation): Promise<void>;
  listOutbox(limit: number): Promise<readonly OutboxEvent[]>;
  /** Replaces an event by its deliveries and marks, unless another process has. */
  expand(event: OutboxEvent, deliveries: readonly EventDelivery[], marks: readonly AlertMark[]): Promise<void>;
  /** Stores a delivery with its mark, unless the subject has a mark of that time or later. Returns whether it was stored. */
  alert(mark: AlertMark, delivery: EventDelivery): Promise<boolean>;
  /** Returns when the subscription was last alerted about the subject. */
  findMark(subscriptionId: string, subject: string): Promise<Date | undefined>;
  advanceMark(mark: AlertMark): Promise<void>;
  /** Deletes the marks of late runs from before this time, except those of these subjects. */
  removeLateMarks(subjects: readonly string[], before: Date): Promise<void>;
  insertDelivery(delivery: EventDelivery): Promise<void>;
  listDue(now: Date, limit: number): Promise<readonly EventDelivery[]>;
  /** Lists the deliveries of a subscription that are due or were never sent, the oldest first. */
  listUnsent(subscriptionId: string, now: Date, limit: number): Promise<readonly EventDelivery[]>;
  /** Claims a delivery until the time; returns false when another process has claimed it. Each claim counts as an attempt. */
  claim(delivery: EventDelivery, until: Date): Promise<boolean>;
  /** Also deletes the surplus deliveries of its subscription. */
  settle(id: string, changes: Partial<EventDelivery>): Promise<void>;
  /** Lists the newest first. */
  listDeliveries(subscriptionId: string, limit: number): Promise<readonly EventDelivery[]>;
  /** Makes a delivery due; returns `undefined` when it does not exist. */
  redeliver(subscriptionId: string, id: string, at: Date): Promise<EventDelivery | undefined>;
}

export const targetSealContext = (id: string): string => `event subscription ${id}`;

export function subscriptionNotFound(id: string): AppError {
  return new AppError('not_found', `There is no subscription "${id}".`, { reason: 'subscription_not_found' });
}

export function eventDeliveryNotFound(id: string): AppError {
  return new AppError('not_found', `The subscription has no delivery "${id}".`, { reason: 'event_delivery_not_found' });
}

export function subscriptionDisabled(name: string): AppError {
  return new AppError('conflict', `The subscription "${name}" is switched off.`, { reason: 'subscription_disabled' });
}

export function mailServerMissing(): AppError {
  const message = 'This server has no mail server: WEIR_SMTP_HOST and WEIR_SMTP_FROM are not set.';
  return new AppError('invalid_request', message, { reason: 'mail_server_missing' });
}

export function subscriptionInvalid(message: string): AppError {
  return new AppError('invalid_request', message, { reason: 'request_invalid' });
}

export const lateSubject = 'late:';
export const successSubject = (dagName: string): string => `success:${dagName}`;
export const staleSubject = (dagName: string): string => `stale:${dagName}`;
export const skippedSubject = (dagName: string): string => `skipped:${dagName}`;
export const blockedSubject = (queue: string): string => `blocked:${queue}`;
export const toldSubject = (type: EventType, { dagName, step }: Pick<OutboxEvent, 'dagName' | 'step'>): string =>
  `told:${type}:${JSON.stringify([dagName, step])}`;

/** Creates a delivery that is sent at once, or at the end of the time of its digest. */
export function newDelivery(
  { id: subscriptionId, digestSeconds }: Pick<Subscription, 'id' | 'digestSeconds'>,
  fields: Pick<EventDelivery, 'id' | 'type' | 'payload'>,
  now: Date,
) {
  return {
    ...fields,
    subscriptionId,
    status: 'pending',
    attempts: 0,
    createdAt: now,
    nextAttemptAt: new Date(now.getTime() + (digestSeconds ?? 0) * 1_000),
    deliveredAt: null,
    responseStatus: null,
    error: null,
  } as const satisfies EventDelivery;
}

/** Whether what happens at the time is sent. */
export function isListening({ isEnabled, mutedUntil }: Subscription, at: Date): boolean {
  return isEnabled && (mutedUntil === null || mutedUntil <= at);
}

export function concerns(
  { workspace, dagName }: Subscription,
  subject: Pick<OutboxEvent, 'workspace' | 'dagName'>,
): boolean {
  return (workspace === null || workspace === subject.workspace) && (dagName === null || dagName === subject.dagName);
}

export function presentSubscription(subscription: Subscription): Presented {
  const { id, name, kind, events, workspace, dagName, host, isEnabled, createdBy } = subscription;
  const { disabledReason, failingSince, createdAt, updatedAt, lateAfterSeconds, staleAfterSeconds } = subscription;
  const { blockedAfterSeconds, digestSeconds, repeatAfterSeconds, mutedUntil } = subscription;
  return {
    id,
    name,
    kind,
    events: [...events],
    host,
    enabled: isEnabled,
    createdBy,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(workspace === null ? {} : { workspace }),
    ...(dagName === null ? {} : { dagName }),
    ...(lateAfterSeconds === null ? {} : { lateAfterSeconds }),
    ...(staleAfterSeconds === null ? {} : { staleAfterSeconds }),
    ...(blockedAfterSeconds === null ? {} : { blockedAfterSeconds }),
    ...(digestSeconds === null ? {} : { digestSeconds }),
    ...(repeatAfterSeconds === null ? {} : { repeatAfterSeconds }),
    ...(mutedUntil === null ? {} : { mutedUntil: mutedUntil.toISOString() }),
    ...(disabledReason === null ? {} : { disabledReason }),
    ...(failingSince === null ? {} : { failingSince: failingSince.toISOString() }),
  };
}

export function presentDelivery(delivery: EventDelivery) {
  const { id, type, status, attempts, payload, createdAt, nextAttemptAt, deliveredAt, responseStatus, error } =
    delivery;
  return {
    id,
    type,
    status,
    attempts,
    payload,
    createdAt: createdAt.toISOString(),
    ...(nextAttemptAt === null ? {} : { nextAttemptAt: nextAttemptAt.toISOString() }),
    ...(deliveredAt === null ? {} : { deliveredAt: deliveredAt.toISOString() }),
    ...(responseStatus === null ? {} : { responseStatus }),
    ...(error === null ? {} : { error }),
  };
}
