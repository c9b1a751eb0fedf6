import type { Webhook, WebhookRepository } from './webhook';
import { webhookSealContext } from './webhook-secret';
import { webhookExists, webhookNotFound } from './webhook-errors';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemoryWebhookRepository(): WebhookRepository {
  const rows = new Map<string, Webhook>();
  return {
    list: () =>
      Promise.resolve([...rows.values()].toSorted((left, right) => (left.fileName < right.fileName ? -1 : 1))),
    find: (fileName) => Promise.resolve(rows.get(fileName)),
    insert: (webhook) => {
      if (rows.has(webhook.fileName)) return Promise.reject(webhookExists(webhook.fileName));
      rows.set(webhook.fileName, webhook);
      return Promise.resolve();
    },
    update: (fileName, changes) => {
      const before = rows.get(fileName);
      if (before === undefined) return Promise.reject(webhookNotFound(fileName));
      const after = { ...before, ...changes };
      rows.set(fileName, after);
      return Promise.resolve(after);
    },
    noteUse: (id, lastUsedAt) => {
      for (const row of rows.values()) if (row.id === id) rows.set(row.fileName, { ...row, lastUsedAt });
      return Promise.resolve();
    },
    remove: (fileName) => Promise.resolve(rows.delete(fileName)),
    removeWithDag: (fileName) => {
      rows.delete(fileName);
      return Promise.resolve();
    },
    rename: (fileName, newFileName) => {
      const row = rows.get(fileName);
      rows.delete(fileName);
      rows.delete(newFileName);
      if (row !== undefined) rows.set(newFileName, { ...row, fileName: newFileName });
      return Promise.resolve();
    },
    listSealed: () =>
      Promise.resolve(
        [...rows.values()].flatMap(({ id, secretKeyId: keyId, secretText: text }) =>
          keyId === null || text === null ? [] : [{ id, context: webhookSealContext(id), sealed: { keyId, text } }],
        ),
      ),
    replaceSealed: ({ id, sealed }, { keyId: secretKeyId, text: secretText }) => {
      const row = [...rows.values()].find((one) => one.id === id);
      if (row?.secretKeyId !== sealed.keyId || row.secretText !== sealed.text) return Promise.resolve(false);
      rows.set(row.fileName, { ...row, secretKeyId, secretText });
      return Promise.resolve(true);
    },
  };
}
