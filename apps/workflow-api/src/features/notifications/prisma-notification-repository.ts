import {
  translatePrismaError,
  type Database,
  type DbTransaction,
  type EventDelivery as DeliveryRow,
} from '@weir/workflow-db';
import type { EventSubscription as Row } from '@weir/workflow-db';
import type { AuditedChange } from '../../access/audited-operation';
import type { StepSubscriptions } from './outbox/step-subscriptions';
import {
  lateSubject,
  presentSubscription,
  retainedEventDeliveries,
  subscriptionNotFound,
  targetSealContext,
  type AlertMark,
  type EventDelivery,
  type NotificationRepository,
  type Subscription,
} from './subscription';

type Stores = Pick<Database, 'db' | 'unitOfWork'>;

/** `stepSubscriptions` is notified of changes. */
export function createPrismaNotificationRepository(
  { db, unitOfWork }: Stores,
  stepSubscriptions: Pick<StepSubscriptions, 'forget'> = { forget: () => undefined },
): NotificationRepository {
  const rows = createSubscriptionRows({ db, unitOfWork });
  return {
    ...rows,
    ...createAlertRows({ db, unitOfWork }),
    insert: (subscription, audit) => rows.insert(subscription, audit).finally(() => stepSubscriptions.forget()),
    update: (id, changes, audit) => rows.update(id, changes, audit).finally(() => stepSubscriptions.forget()),
    remove: (id, audit) => rows.remove(id, audit).finally(() => stepSubscriptions.forget()),
    ...createDeliveryRows({ db, unitOfWork }),
    listOutbox: (limit) => db.outboxEvent.findMany({ orderBy: { occurredAt: 'asc' }, take: limit }),
    expand: (event, deliveries, marks) =>
      unitOfWork(async (tables) => {
        const { count } = await tables.outboxEvent.deleteMany({ where: { id: event.id } });
        if (count === 0) return;
        if (deliveries.length > 0) await tables.eventDelivery.createMany({ data: [...deliveries] });
        for (const mark of marks) await advance(tables, mark);
      }),
    listSealed: async () =>
      (await db.eventSubscription.findMany()).map(({ id, keyId, text }) => {
        return { id, context: targetSealContext(id), sealed: { keyId, text } };
      }),
    replaceSealed: async ({ id, sealed }, { keyId, text }) =>
      (await db.eventSubscription.updateMany({ where: { id, ...sealed }, data: { keyId, text } })).count > 0,
  };
}

type SubscriptionRows = Pick<NotificationRepository, 'list' | 'find' | 'insert' | 'update' | 'remove'>;

function createSubscriptionRows({ db, unitOfWork }: Stores): SubscriptionRows {
  return {
    list: async () => (await db.eventSubscription.findMany()).map(fromRow),
    find: async (id) => {
      const row = await db.eventSubscription.findUnique({ where: { id } });
      return row === null ? undefined : fromRow(row);
    },
    insert: (subscription, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        await tables.eventSubscription.create({ data: { ...subscription, events: [...subscription.events] } });
        await record(describe({ after: subscription }));
      }),
    update: (id, { events, ...changes }, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        const before = await tables.eventSubscription.findUnique({ where: { id } });
        if (before === null) throw subscriptionNotFound(id);
        const data = { ...changes, ...(events === undefined ? {} : { events: [...events] }) };
        const after = fromRow(await tables.eventSubscription.update({ where: { id }, data }));
        await record(describe({ before: fromRow(before), after }));
        return after;
      }),
    remove: (id, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        try {
          await record(describe({ before: fromRow(await tables.eventSubscription.delete({ where: { id } })) }));
        } catch (error) {
          if (translatePrismaError(error)?.kind === 'not_found') throw subscriptionNotFound(id);
          throw error;
        }
      }),
  };
}

type MarkTable = Pick<DbTransaction, 'alertMark'>;

/** Returns whether the mark is newer than the stored one. */
async function advance({ alertMark }: MarkTable, { subscriptionId, subject, at }: AlertMark): Promise<boolean> {
  const { count } = await alertMark.updateMany({ where: { subscriptionId, subject, at: { lt: at } }, data: { at } });
  if (count > 0) return true;
  const where = { subscriptionId_subject: { subscriptionId, subject } };
  if ((await alertMark.findUnique({ where })) !== null) return false;
  await alertMark.create({ data: { subscriptionId, subject, at } });
  return true;
}

type AlertRows = Pick<
  NotificationRepository,
  'alert' | 'findMark' | 'advanceMark' | 'removeLateMarks' | 'insertDelivery'
>;

function createAlertRows({ db, unitOfWork }: Stores): AlertRows {
  const unlessTold = async (work: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await work();
    } catch (error) {
      const { kind } = translatePrismaError(error) ?? {};
      // Another process has sent it first, or the subscription was deleted meanwhile.
      if (kind === 'unique' || kind === 'foreign_key') return false;
      throw error;
    }
  };
  return {
    alert: (mark, delivery) =>
      unlessTold(() =>
        unitOfWork(async (tables) => {
          if (!(await advance(tables, mark))) return false;
          await tables.eventDelivery.create({ data: delivery });
          return true;
        }),
      ),
    findMark: async (subscriptionId, subject) => {
      const where = { subscriptionId_subject: { subscriptionId, subject } };
      return (await db.alertMark.findUnique({ where }))?.at;
    },
    advanceMark: async (mark) => {
      await unlessTold(() => unitOfWork((tables) => advance(tables, mark)));
    },
    removeLateMarks: async (subjects, before) => {
      const subject = { startsWith: lateSubject, notIn: [...subjects] };
      await db.alertMark.deleteMany({ where: { subject, at: { lt: before } } });
    },
    insertDelivery: async (delivery) => {
      await db.eventDelivery.create({ data: delivery });
    },
  };
}

type DeliveryRows = Pick<
  NotificationRepository,
  'listDue' | 'listUnsent' | 'claim' | 'settle' | 'listDeliveries' | 'redeliver'
>;

function createDeliveryRows({ db }: Stores): DeliveryRows {
  const prune = async (subscriptionId: string): Promise<void> => {
    const [surplus] = await db.eventDelivery.findMany({
      where: { subscriptionId },
      orderBy: { createdAt: 'desc' },
      skip: retainedEventDeliveries,
      take: 1,
    });
    if (surplus === undefined) return;
    const where = { subscriptionId, createdAt: { lte: surplus.createdAt }, status: { not: 'pending' } };
    await db.eventDelivery.deleteMany({ where });
  };
  return {
    listDue: async (now, limit) => {
      const where = { nextAttemptAt: { lte: now }, subscription: { isEnabled: true } };
      const rows = await db.eventDelivery.findMany({ where, orderBy: { nextAttemptAt: 'asc' }, take: limit });
      return rows.map(fromDeliveryRow);
    },
    listUnsent: async (subscriptionId, now, limit) => {
      const where = { subscriptionId, status: 'pending', OR: [{ attempts: 0 }, { nextAttemptAt: { lte: now } }] };
      const rows = await db.eventDelivery.findMany({ where, orderBy: { createdAt: 'asc' }, take: limit });
      return rows.map(fromDeliveryRow);
    },
    claim: async ({ id, nextAttemptAt }, until) => {
      const data = { nextAttemptAt: until, attempts: { increment: 1 } };
      return (await db.eventDelivery.updateMany({ where: { id, nextAttemptAt }, data })).count > 0;
    },
    settle: async (id, changes) => {
      const [row] = await db.eventDelivery.updateManyAndReturn({ where: { id }, data: changes });
      if (row !== undefined) await prune(row.subscriptionId);
    },
    listDeliveries: async (subscriptionId, limit) => {
      const where = { subscriptionId };
      const rows = await db.eventDelivery.findMany({ where, orderBy: { createdAt: 'desc' }, take: limit });
      return rows.map(fromDeliveryRow);
    },
    redeliver: async (subscriptionId, id, at) => {
      const data = { status: 'pending', nextAttemptAt: at, attempts: 0, deliveredAt: null };
      const [row] = await db.eventDelivery.updateManyAndReturn({ where: { id, subscriptionId }, data });
      return row && fromDeliveryRow(row);
    },
  };
}

function describe({ before, after }: { readonly before?: Subscription; readonly after?: Subscription }): AuditedChange {
  const of = after ?? before;
  return {
    ...(of === undefined ? {} : { resourceId: of.id, workspace: of.workspace ?? undefined }),
    ...(before === undefined ? {} : { before: presentSubscription(before) }),
    ...(after === undefined ? {} : { after: presentSubscription(after) }),
  };
}

/** Reads a row that the functions above have written. */
function fromRow(row: Row): Subscription {
  return { ...row, kind: row.kind as Subscription['kind'], events: row.events as Subscription['events'] };
}

function fromDeliveryRow(row: DeliveryRow): EventDelivery {
  return { ...row, type: row.type as EventDelivery['type'], status: row.status as EventDelivery['status'] };
}
