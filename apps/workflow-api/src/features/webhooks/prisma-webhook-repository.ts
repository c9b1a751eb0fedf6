import { translatePrismaError, type Database } from '@weir/workflow-db';
import { describeChange } from '../audit';
import { presentWebhook, type WebhookRepository } from './webhook';
import { webhookExists, webhookNotFound } from './webhook-errors';

export function createPrismaWebhookRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): WebhookRepository {
  return {
    list: async () =>
      (await db.webhook.findMany()).toSorted((left, right) => (left.fileName < right.fileName ? -1 : 1)),
    find: async (fileName) => (await db.webhook.findUnique({ where: { fileName } })) ?? undefined,
    insert: (webhook) =>
      unitOfWork(async (tables) => {
        await tables.webhook
          .create({ data: { ...webhook } })
          .catch((error: unknown) => rethrow(error, webhook.fileName));
        describeChange({ after: presentWebhook(webhook) });
      }),
    update: (fileName, changes) =>
      unitOfWork(async (tables) => {
        const before = await tables.webhook.findUnique({ where: { fileName } });
        if (before === null) throw webhookNotFound(fileName);
        const after = await tables.webhook.update({ where: { fileName }, data: { ...changes } });
        describeChange({ before: presentWebhook(before), after: presentWebhook(after) });
        return after;
      }),
    noteUse: async (id, lastUsedAt) => {
      await db.webhook.updateMany({ where: { id }, data: { lastUsedAt } });
    },
    remove: (fileName) =>
      unitOfWork(async ({ webhook }) => {
        const before = await webhook.findUnique({ where: { fileName } });
        if (before === null) return false;
        await webhook.delete({ where: { fileName } });
        describeChange({ before: presentWebhook(before) });
        return true;
      }),
    removeWithDag: async (fileName) => {
      await db.webhook.deleteMany({ where: { fileName } });
    },
    rename: (fileName, newFileName) =>
      unitOfWork(async ({ webhook }) => {
        await webhook.deleteMany({ where: { fileName: newFileName } });
        await webhook.updateMany({ where: { fileName }, data: { fileName: newFileName } });
      }),
  };
}

function rethrow(error: unknown, fileName: string): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique' && failure.constraint === 'Webhook_pkey') throw webhookExists(fileName);
  throw error;
}
