import { translatePrismaError, type Database, type StoredSecret as Row } from '@weir/workflow-db';
import type { Sealed } from '../../encryption';
import { secretChanged, secretNotFound, secretRefTaken } from './secret-errors';
import type { SecretVersion, StoredSecret } from './stored-secret';

export type SecretChanges = Partial<Pick<StoredSecret, 'description' | 'isDisabled'>> & { readonly updatedAt: Date };
export type VersionKey = Pick<SecretVersion, 'secretId' | 'number'>;

export interface SecretPage {
  readonly limit: number;
  readonly offset: number;
}

export interface SecretRepository {
  /** Lists the secrets of one workspace, by ref. */
  list(
    workspace: string | undefined,
    page: SecretPage,
  ): Promise<{ readonly secrets: readonly StoredSecret[]; readonly total: number }>;
  findById(id: string): Promise<StoredSecret | undefined>;
  findByRef(workspace: string | undefined, ref: string): Promise<StoredSecret | undefined>;
  /** Lists the secrets of these refs that belong to workspaces. */
  listOwners(refs: readonly string[]): Promise<readonly Pick<StoredSecret, 'workspace' | 'ref'>[]>;
  /** Inserts a secret with or without its first value. Throws `secret_ref_taken`. */
  insert(secret: StoredSecret, version: SecretVersion | undefined): Promise<void>;
  /** Returns the secret afterwards. Throws `secret_not_found`. */
  update(id: string, changes: SecretChanges): Promise<StoredSecret>;
  /**
   * Adds the value after the newest, removes those older than the newest `keep`, and returns the secret afterwards.
   * Throws `secret_changed` when another value has this number, and `secret_not_found`.
   */
  addVersion(version: SecretVersion, keep: number): Promise<StoredSecret>;
  findVersion(key: VersionKey): Promise<SecretVersion | undefined>;
  /** Lists the versions of all secrets, by secret and number; only those after `after`. */
  listVersions(after: VersionKey | undefined, limit: number): Promise<readonly SecretVersion[]>;
  /** Replaces the encrypted value unless it has changed meanwhile. Returns whether it was replaced. */
  reseal(version: SecretVersion, sealed: Sealed): Promise<boolean>;
  /** Stores the time of a use; does nothing when the secret is deleted. */
  noteUse(id: string, at: Date): Promise<void>;
  /** Removes the secret with all values. Throws `secret_not_found`. */
  remove(id: string): Promise<void>;
}

const shared = '';

export function createPrismaSecretRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): SecretRepository {
  return {
    list: async (workspace, { limit, offset }) => {
      const where = { workspace: workspace ?? shared };
      const rows = await db.storedSecret.findMany({ where });
      // The order does not rely on the sorting rules of databases.
      const secrets = rows.map(fromRow).toSorted(byRef);
      return { secrets: secrets.slice(offset, offset + limit), total: secrets.length };
    },
    findById: async (id) => optional(await db.storedSecret.findUnique({ where: { id } })),
    findByRef: async (workspace, ref) =>
      optional(await db.storedSecret.findUnique({ where: { workspace_ref: { workspace: workspace ?? shared, ref } } })),
    listOwners: (refs) =>
      db.storedSecret.findMany({
        where: { ref: { in: [...refs] }, workspace: { not: shared } },
        select: { workspace: true, ref: true },
      }),
    insert: async (secret, version) => {
      const versions = version && { create: { ...withoutSecret(version) } };
      await db.storedSecret
        .create({ data: { ...toRow(secret), ...(versions === undefined ? {} : { versions }) } })
        .catch((error: unknown) => rethrow(error, secret));
    },
    update: async (id, changes) =>
      fromRow(
        await db.storedSecret
          .update({ where: { id }, data: changes })
          .catch((error: unknown) => rethrow(error, { id, ref: '' })),
      ),
    addVersion: (version, keep) =>
      unitOfWork(async ({ storedSecret, storedSecretVersion }) => {
        const { secretId: id, number, createdAt } = version;
        const { count } = await storedSecret.updateMany({
          where: { id, currentVersion: number - 1 },
          data: { currentVersion: number, updatedAt: createdAt, lastRotatedAt: createdAt },
        });
        const changed = await storedSecret.findUnique({ where: { id } });
        if (changed === null) throw secretNotFound(id);
        if (count === 0) throw secretChanged();
        await storedSecretVersion.create({ data: version });
        await storedSecretVersion.deleteMany({ where: { secretId: id, number: { lte: number - keep } } });
        return fromRow(changed);
      }),
    findVersion: async ({ secretId, number }) =>
      (await db.storedSecretVersion.findUnique({ where: { secretId_number: { secretId, number } } })) ?? undefined,
    listVersions: (after, limit) =>
      db.storedSecretVersion.findMany({
        ...(after && { where: isAfter(after) }),
        orderBy: [{ secretId: 'asc' }, { number: 'asc' }],
        take: limit,
      }),
    reseal: async ({ secretId, number, keyId, text }, sealed) => {
      const data = { keyId: sealed.keyId, text: sealed.text };
      return (await db.storedSecretVersion.updateMany({ where: { secretId, number, keyId, text }, data })).count > 0;
    },
    noteUse: async (id, at) => {
      await db.storedSecret.updateMany({ where: { id }, data: { lastResolvedAt: at } });
    },
    remove: async (id) => {
      await db.storedSecret.delete({ where: { id } }).catch((error: unknown) => rethrow(error, { id, ref: '' }));
    },
  };
}

/** Compares secrets for lists, whose order is the same in every repository. */
export function byRef(left: StoredSecret, right: StoredSecret): number {
  return left.ref < right.ref ? -1 : 1;
}

const isAfter = ({ secretId, number }: VersionKey) => ({
  OR: [{ secretId: { gt: secretId } }, { secretId, number: { gt: number } }],
});

function rethrow(error: unknown, { id, ref }: Pick<StoredSecret, 'id' | 'ref'>): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique' && failure.constraint === 'stored_secret_workspace_ref_key') throw secretRefTaken(ref);
  if (failure?.kind === 'not_found') throw secretNotFound(id);
  throw error;
}

function withoutSecret({ secretId: _, ...version }: SecretVersion) {
  return version;
}

function toRow(secret: StoredSecret): Row {
  return {
    ...secret,
    workspace: secret.workspace ?? shared,
    lastResolvedAt: secret.lastResolvedAt ?? null,
    lastRotatedAt: secret.lastRotatedAt ?? null,
  };
}

function optional(row: Row | null): StoredSecret | undefined {
  return row === null ? undefined : fromRow(row);
}

function fromRow(row: Row): StoredSecret {
  return {
    ...row,
    workspace: row.workspace === shared ? undefined : row.workspace,
    lastResolvedAt: row.lastResolvedAt ?? undefined,
    lastRotatedAt: row.lastRotatedAt ?? undefined,
  };
}
