import type { Database } from '@weir/workflow-db';
import { syncSealContext, type GitSyncStore, type StoredItem } from './git-sync-store';
import { parseStoredSettings } from './sync-settings';

const id = 'sync';
const batch = 500;

export function createPrismaGitSyncStore({ db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>): GitSyncStore {
  const ensureRow = () => db.gitSync.upsert({ where: { id }, create: { id }, update: {} });
  return {
    read: async () => {
      const row = await db.gitSync.findUnique({ where: { id } });
      const { secretKeyId: keyId = null, secretText: text = null } = row ?? {};
      return {
        settings: row?.settings == null ? undefined : parseStoredSettings(row.settings),
        sealed: keyId === null || text === null ? undefined : { keyId, text },
        remoteCommit: row?.remoteCommit ?? undefined,
        lastSyncAt: row?.lastSyncAt ?? undefined,
        lastError: row?.lastError ?? undefined,
      };
    },
    writeSettings: (settings, sealed, { forgets }) =>
      unitOfWork(async ({ gitSync, gitSyncItem }) => {
        const data = {
          settings: { ...settings },
          secretKeyId: sealed?.keyId ?? null,
          secretText: sealed?.text ?? null,
          ...(forgets ? { remoteCommit: null, lastSyncAt: null, lastError: null } : {}),
        };
        await gitSync.upsert({ where: { id }, create: { id, ...data }, update: data });
        if (forgets) await gitSyncItem.deleteMany({});
      }),
    listItems: async () => (await db.gitSyncItem.findMany()).map((row) => ({ ...row, kind: toKind(row.kind) })),
    save: ({ put, remove }, outcome) =>
      unitOfWork(async ({ gitSync, gitSyncItem }) => {
        const replaced = [...put.map(({ itemId }) => itemId), ...remove];
        for (const ids of inBatches(replaced)) await gitSyncItem.deleteMany({ where: { itemId: { in: [...ids] } } });
        for (const items of inBatches(put)) await gitSyncItem.createMany({ data: [...items] });
        await gitSync.upsert({ where: { id }, create: { id, ...outcome }, update: outcome });
      }),
    lock: async (owner, now, until) => {
      await ensureRow();
      const isFree = [{ lockedBy: null }, { lockedUntil: { lt: now } }];
      const data = { lockedBy: owner, lockedUntil: until };
      return (await db.gitSync.updateMany({ where: { id, OR: isFree }, data })).count > 0;
    },
    renewLock: async (owner, until) =>
      (await db.gitSync.updateMany({ where: { id, lockedBy: owner }, data: { lockedUntil: until } })).count > 0,
    unlock: async (owner) => {
      await db.gitSync.updateMany({ where: { id, lockedBy: owner }, data: { lockedBy: null, lockedUntil: null } });
    },
    listSealed: async () => {
      const row = await db.gitSync.findUnique({ where: { id } });
      const { secretKeyId: keyId = null, secretText: text = null } = row ?? {};
      return keyId === null || text === null ? [] : [{ id, context: syncSealContext, sealed: { keyId, text } }];
    },
    replaceSealed: async ({ sealed }, { keyId: secretKeyId, text: secretText }) => {
      const where = { id, secretKeyId: sealed.keyId, secretText: sealed.text };
      return (await db.gitSync.updateMany({ where, data: { secretKeyId, secretText } })).count > 0;
    },
  };
}

function inBatches<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / batch) }, (_, index) =>
    all.slice(index * batch, (index + 1) * batch),
  );
}

function toKind(kind: string): StoredItem['kind'] {
  return kind === 'doc' ? 'doc' : 'dag';
}
