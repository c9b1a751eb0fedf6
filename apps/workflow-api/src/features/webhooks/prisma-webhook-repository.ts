import { noJson, translatePrismaError, type Database, type Webhook as Row } from '@weir/workflow-db';
import { presentWebhook, type Webhook, type WebhookRepository } from './webhook';
import { webhookSealContext } from './webhook-secret';
import { webhookExists, webhookNotFound } from './webhook-errors';

export function createPrismaWebhookRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): WebhookRepository {
  return {
    list: async () =>
      (await db.webhook.findMany()).map(fromRow).toSorted((left, right) => (left.fileName < right.fileName ? -1 : 1)),
    find: async (fileName) => {
      const row = await db.webhook.findUnique({ where: { fileName } });
      return row === null ? undefined : fromRow(row);
    },
    insert: (webhook, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        await tables.webhook
          .create({ data: toData(webhook) })
          .catch((error: unknown) => rethrow(error, webhook.fileName));
        await record({ after: presentWebhook(webhook) });
      }),
    update: (fileName, changes, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        const before = await tables.webhook.findUnique({ where: { fileName } });
        if (before === null) throw webhookNotFound(fileName);
        const after = fromRow(await tables.webhook.update({ where: { fileName }, data: toData(changes) }));
        await record({ before: presentWebhook(fromRow(before)), after: presentWebhook(after) });
        return after;
      }),
    noteUse: async (id, lastUsedAt) => {
      await db.webhook.updateMany({ where: { id }, data: { lastUsedAt } });
    },
    remove: (fileName, audit) =>
      audit.inTransaction(unitOfWork, async ({ webhook }, record) => {
        const before = await webhook.findUnique({ where: { fileName } });
        if (before === null) return false;
        await webhook.delete({ where: { fileName } });
        await record({ before: presentWebhook(fromRow(before)) });
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
    listSealed: async () => {
      const rows = await db.webhook.findMany({ where: { secretText: { not: null } } });
      return rows.flatMap(({ id, secretKeyId: keyId, secretText: text }) =>
        keyId === null || text === null ? [] : [{ id, context: webhookSealContext(id), sealed: { keyId, text } }],
      );
    },
    replaceSealed: async ({ id, sealed }, { keyId: secretKeyId, text: secretText }) => {
      const where = { id, secretKeyId: sealed.keyId, secretText: sealed.text };
      return (await db.webhook.updateMany({ where, data: { secretKeyId, secretText } })).count > 0;
    },
  };
}

function rethrow(error: unknown, fileName: string): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique' && failure.constraint === 'Webhook_pkey') throw webhookExists(fileName);
  throw error;
}

/** Reads a row that `toData` has written. */
function fromRow(row: Row): Webhook {
  return { ...row, verification: row.verification as Webhook['verification'] };
}

function toData<Changes extends Partial<Webhook>>({ verification, ...others }: Changes) {
  return {
    ...others,
    ...(verification === undefined ? {} : { verification: verification === null ? noJson : { ...verification } }),
  };
}
