import type { Database } from '@weir/workflow-db';
import { retainedDeliveries, type WebhookDelivery, type WebhookDeliveryRepository } from './webhook-delivery';

export function createPrismaWebhookDeliveryRepository({ db }: Pick<Database, 'db'>): WebhookDeliveryRepository {
  /** Returns when the newest call beyond this number was received. */
  const surplusSince = async (webhookId: string, isAuthentic: boolean, retained: number): Promise<Date | undefined> => {
    const where = { webhookId, isAuthentic };
    const [row] = await db.webhookDelivery.findMany({
      where,
      orderBy: { receivedAt: 'desc' },
      skip: retained,
      take: 1,
      select: { receivedAt: true },
    });
    return row?.receivedAt;
  };
  const prune = async (webhookId: string, isAuthentic: boolean): Promise<void> => {
    const { authentic, ofStrangers, bodies } = retainedDeliveries;
    const surplus = await surplusSince(webhookId, isAuthentic, isAuthentic ? authentic : ofStrangers);
    if (surplus !== undefined) {
      await db.webhookDelivery.deleteMany({ where: { webhookId, isAuthentic, receivedAt: { lte: surplus } } });
    }
    const withoutBody = isAuthentic ? await surplusSince(webhookId, true, bodies) : undefined;
    if (withoutBody !== undefined) {
      const where = { webhookId, isAuthentic, receivedAt: { lte: withoutBody }, body: { not: null } };
      await db.webhookDelivery.updateMany({ where, data: { body: null } });
    }
  };
  return {
    insert: async (delivery) => {
      await db.webhookDelivery.create({ data: { ...delivery, headers: { ...delivery.headers } } });
      await prune(delivery.webhookId, delivery.isAuthentic);
    },
    list: async (webhookId, limit) => {
      const where = { webhookId };
      return (await db.webhookDelivery.findMany({ where, orderBy: { receivedAt: 'desc' }, take: limit })).map(fromRow);
    },
    find: async (webhookId, id) => {
      const row = await db.webhookDelivery.findFirst({ where: { webhookId, id } });
      return row === null ? undefined : fromRow(row);
    },
    hasStarted: async (webhookId, replayKey) =>
      (await db.webhookDelivery.findFirst({ where: { webhookId, replayKey }, select: { id: true } })) !== null,
    countStarted: (webhookId, since) =>
      db.webhookDelivery.count({
        where: { webhookId, isAuthentic: true, outcome: 'started', receivedAt: { gte: since } },
      }),
  };
}

type Row = Awaited<ReturnType<Database['db']['webhookDelivery']['findMany']>>[number];

/** Reads a row that `insert` has written. */
function fromRow(row: Row): WebhookDelivery {
  return {
    ...row,
    outcome: row.outcome as WebhookDelivery['outcome'],
    headers: row.headers as WebhookDelivery['headers'],
  };
}
