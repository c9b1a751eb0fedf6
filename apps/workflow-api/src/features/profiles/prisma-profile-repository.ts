import {
  translatePrismaError,
  type Database,
  type RuntimeProfile as Row,
  type RuntimeProfileEntry as EntryRow,
} from '@weir/workflow-db';
import type { Sealed, SealedRow, SealedRows } from '../../encryption';
import { profileNameTaken, profileNotFound } from './profile-errors';
import { byKey, sealContext, type ProfileEntry, type ProfileRepository, type StoredProfile } from './profile';

const include = { entries: true } as const;

export function createPrismaProfileRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): ProfileRepository & SealedRows {
  return {
    list: async () => (await db.runtimeProfile.findMany({ include })).map(fromRow),
    find: async (name) => {
      const row = await db.runtimeProfile.findUnique({ where: { name }, include });
      return row === null ? undefined : fromRow(row);
    },
    insert: async ({ entries: _, ...data }) => {
      await db.runtimeProfile.create({ data }).catch((error: unknown) => {
        throw translatePrismaError(error)?.kind === 'unique' ? profileNameTaken(data.name) : error;
      });
    },
    update: async (name, data) =>
      fromRow(await db.runtimeProfile.update({ where: { name }, data, include }).catch(rethrow(name))),
    putEntry: (name, entry) =>
      unitOfWork(async ({ runtimeProfile, runtimeProfileEntry }) => {
        const { updatedAt } = entry;
        const { id } = await runtimeProfile.update({ where: { name }, data: { updatedAt } }).catch(rethrow(name));
        const { createdAt, ...changed } = { ...toColumns(entry), updatedAt };
        await runtimeProfileEntry.upsert({
          where: { profileId_key: { profileId: id, key: entry.key } },
          create: { profileId: id, key: entry.key, createdAt, ...changed },
          update: changed,
        });
        return fromRow(await runtimeProfile.findUniqueOrThrow({ where: { id }, include }));
      }),
    removeEntry: (name, key, at) =>
      unitOfWork(async ({ runtimeProfile, runtimeProfileEntry }) => {
        const { count } = await runtimeProfileEntry.deleteMany({ where: { profile: { name }, key } });
        if (count > 0) await runtimeProfile.updateMany({ where: { name }, data: { updatedAt: at } });
        return count > 0;
      }),
    remove: (name) =>
      unitOfWork(async ({ runtimeProfile }) => {
        await runtimeProfile.delete({ where: { name } }).catch(rethrow(name));
        await runtimeProfile.updateMany({ where: { defaultProfile: name }, data: { defaultProfile: null } });
      }),
    findSecret: async (profileId, key) => {
      const row = await db.runtimeProfileEntry.findUnique({
        where: { profileId_key: { profileId, key } },
        include: { profile: { select: { isDisabled: true } } },
      });
      const sealed = row === null ? undefined : toSealed(row);
      return row === null || sealed === undefined ? undefined : { isDisabled: row.profile.isDisabled, sealed };
    },
    listSealed: async () => {
      const rows = await db.runtimeProfileEntry.findMany({ where: { text: { not: null } } });
      return rows.flatMap((row) => {
        const sealed = toSealed(row);
        return sealed === undefined ? [] : [sealedRow(row.profileId, row.key, sealed)];
      });
    },
    replaceSealed: async ({ id, sealed: before }, { keyId, text }) => {
      const [profileId = '', key = ''] = id.split(' ');
      const where = { profileId, key, keyId: before.keyId, text: before.text };
      return (await db.runtimeProfileEntry.updateMany({ where, data: { keyId, text } })).count > 0;
    },
  };
}

export function sealedRow(profileId: string, key: string, { keyId, text }: Sealed): SealedRow {
  return { id: `${profileId} ${key}`, context: sealContext(profileId, key), sealed: { keyId, text } };
}

function rethrow(name: string) {
  return (error: unknown): never => {
    throw translatePrismaError(error)?.kind === 'not_found' ? profileNotFound(name) : error;
  };
}

function toColumns({ content, createdAt }: ProfileEntry) {
  return 'value' in content
    ? { value: content.value, keyId: null, text: null, createdAt }
    : { value: null, keyId: content.sealed.keyId, text: content.sealed.text, createdAt };
}

function toSealed({ keyId, text }: Pick<EntryRow, 'keyId' | 'text'>): Sealed | undefined {
  return keyId === null || text === null ? undefined : { keyId, text };
}

function fromRow({ entries, ...row }: Row & { readonly entries: readonly EntryRow[] }): StoredProfile {
  return { ...row, entries: entries.map(fromEntryRow).toSorted(byKey) };
}

function fromEntryRow({ key, value, createdAt, updatedAt, ...row }: EntryRow): ProfileEntry {
  const sealed = toSealed(row);
  return { key, content: sealed === undefined ? { value: value ?? '' } : { sealed }, createdAt, updatedAt };
}
