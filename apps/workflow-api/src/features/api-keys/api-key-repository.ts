import { UserRole, WorkspaceAccess } from '@weir/workflow-contract';
import { apiSurfaces } from '@weir/workflow-contract/schemas';
import { translatePrismaError, type ApiKey as ApiKeyRow, type Database } from '@weir/workflow-db';
import type { AuditedOperation } from '../../access/audited-operation';
import type { ApiKey } from './api-key';
import { apiKeyNameTaken, apiKeyNotFound } from './api-key-errors';
import { presentApiKey } from './api-key-presenter';

/** The fields that a change may touch. */
export type ApiKeyChanges = Partial<
  Pick<
    ApiKey,
    | 'name'
    | 'description'
    | 'role'
    | 'workspaceAccess'
    | 'scopes'
    | 'surfaces'
    | 'ownerId'
    | 'serviceAccountName'
    | 'expiresAt'
    | 'keyPrefix'
    | 'keyDigest'
    | 'lastUsedAt'
  >
> & {
  readonly updatedAt: Date;
};

export interface ApiKeyRepository {
  /** Lists by name, without regard to case; equal ones by id. */
  list(): Promise<readonly ApiKey[]>;
  findById(id: string): Promise<ApiKey | undefined>;
  findByDigest(keyDigest: string): Promise<ApiKey | undefined>;
  /** Throws `api_key_name_taken`. */
  insert(apiKey: ApiKey, audit: AuditedOperation): Promise<void>;
  /**
   * Applies the changes that `change` returns; nothing else changes the key between the two, and `change` may be
   * called more than once. Returns the key afterwards. Throws `api_key_name_taken`, `api_key_not_found`, or the
   * errors of `change`.
   */
  update(id: string, change: (present: ApiKey) => ApiKeyChanges, audit: AuditedOperation): Promise<ApiKey>;
  /** Stores the time of a use; does nothing when the key is deleted. */
  noteUse(id: string, at: Date): Promise<void>;
  /** Throws `api_key_not_found`. */
  remove(id: string, audit: AuditedOperation): Promise<void>;
}

export function createPrismaApiKeyRepository({
  db,
  unitOfWork,
}: Pick<Database, 'db' | 'unitOfWork'>): ApiKeyRepository {
  return {
    list: async () => (await db.apiKey.findMany()).map(fromRow).toSorted(byName),
    findById: async (id) => optional(await db.apiKey.findUnique({ where: { id } })),
    findByDigest: async (keyDigest) => optional(await db.apiKey.findUnique({ where: { keyDigest } })),
    insert: async (apiKey, audit) => {
      const data = {
        ...apiKey,
        workspaceAccess: { ...apiKey.workspaceAccess },
        scopes: apiKey.scopes.join(' '),
        surfaces: apiKey.surfaces.join(' '),
        ownerId: apiKey.ownerId ?? null,
        expiresAt: apiKey.expiresAt ?? null,
        lastUsedAt: null,
      };
      await audit.inTransaction(unitOfWork, async (tables, record) => {
        await tables.apiKey.create({ data }).catch((error: unknown) => rethrow(error, apiKey));
        await record({ resourceId: apiKey.id, after: presentApiKey(apiKey) });
      });
    },
    update: (id, change, audit) =>
      audit.inTransaction(unitOfWork, async ({ apiKey }, record) => {
        const present = optional(await apiKey.findUnique({ where: { id } }));
        if (present === undefined) throw apiKeyNotFound(id);
        const changes = change(present);
        const row = await apiKey
          .update({ where: { id }, data: toRowChanges(changes) })
          .catch((error: unknown) => rethrow(error, { id, name: changes.name ?? '' }));
        await record({ before: presentApiKey(present), after: presentApiKey(fromRow(row)) });
        return fromRow(row);
      }),
    noteUse: async (id, at) => {
      await db.apiKey.updateMany({ where: { id }, data: { lastUsedAt: at } });
    },
    remove: (id, audit) =>
      audit.inTransaction(unitOfWork, async (tables, record) => {
        const row = await tables.apiKey
          .delete({ where: { id } })
          .catch((error: unknown) => rethrow(error, { id, name: '' }));
        await record({ before: presentApiKey(fromRow(row)) });
      }),
  };
}

/** Compares keys for the list, whose order is the same in every repository. */
export function byName(a: ApiKey, b: ApiKey): number {
  const toSortKey = (apiKey: ApiKey): string => `${apiKey.name.toLowerCase()}\u0000${apiKey.id}`;
  return toSortKey(a) < toSortKey(b) ? -1 : 1;
}

function rethrow(error: unknown, apiKey: Pick<ApiKey, 'id' | 'name'>): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique' && failure.constraint === 'api_key_name_key') throw apiKeyNameTaken(apiKey.name);
  if (failure?.kind === 'not_found') throw apiKeyNotFound(apiKey.id);
  throw error;
}

function toRowChanges(changes: ApiKeyChanges) {
  const { expiresAt, lastUsedAt, workspaceAccess, scopes, surfaces, ownerId, ...plain } = changes;
  return {
    ...plain,
    ...('expiresAt' in changes ? { expiresAt: expiresAt ?? null } : {}),
    ...('lastUsedAt' in changes ? { lastUsedAt: lastUsedAt ?? null } : {}),
    ...('ownerId' in changes ? { ownerId: ownerId ?? null } : {}),
    ...(scopes === undefined ? {} : { scopes: scopes.join(' ') }),
    ...(surfaces === undefined ? {} : { surfaces: surfaces.join(' ') }),
    ...(workspaceAccess === undefined ? {} : { workspaceAccess: { ...workspaceAccess } }),
  };
}

function optional(row: ApiKeyRow | null): ApiKey | undefined {
  return row === null ? undefined : fromRow(row);
}

function fromRow(row: ApiKeyRow): ApiKey {
  return {
    ...row,
    role: UserRole.parse(row.role),
    workspaceAccess: WorkspaceAccess.parse(row.workspaceAccess),
    scopes: toList(row.scopes),
    surfaces: apiSurfaces.filter((surface) => toList(row.surfaces).includes(surface)),
    ownerId: row.ownerId ?? undefined,
    expiresAt: row.expiresAt ?? undefined,
    lastUsedAt: row.lastUsedAt ?? undefined,
  };
}

function toList(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
