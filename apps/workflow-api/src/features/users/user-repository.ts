import { UserRole, WorkspaceAccess } from '@weir/workflow-contract';
import { AuthProvider } from '@weir/workflow-contract/schemas';
import { translatePrismaError, type Database, type DbTransaction, type User as UserRow } from '@weir/workflow-db';
import type { AuditedOperation, RecordChange } from '../../access/audited-operation';
import type { User } from '../../access/user';
import { externalIdTaken, userNotFound, usernameTaken } from './user-errors';

export interface UserRepository {
  count(): Promise<number>;
  /** Lists by username, without regard to case; equal ones by id. */
  list(): Promise<readonly User[]>;
  findById(id: string): Promise<User | undefined>;
  findByUsername(username: string): Promise<User | undefined>;
  findByExternalId(externalId: string): Promise<User | undefined>;
  /** Counts enabled admins other than the one with this id. */
  countOtherEnabledAdmins(id: string): Promise<number>;
  /** Throws `username_taken`, or `external_id_taken` where another request has just stored the same person. */
  insert(user: User): Promise<void>;
  /** Replaces the stored user with that id. Throws `username_taken` or `user_not_found`. */
  update(user: User): Promise<void>;
  /** Throws `user_not_found`. */
  remove(id: string): Promise<void>;
}

export interface UserStore extends UserRepository {
  /** Either all changes of `work` happen or none, and what it read stays true until then. `work` may run more than once. */
  transaction<T>(
    audit: AuditedOperation,
    work: (users: UserRepository, record: RecordChange) => Promise<T>,
  ): Promise<T>;
}

export function createPrismaUserStore({ db, unitOfWork }: Pick<Database, 'db' | 'unitOfWork'>): UserStore {
  return {
    ...createPrismaUserRepository(db),
    transaction: (audit, work) =>
      audit.inTransaction(unitOfWork, (tables, record) => work(createPrismaUserRepository(tables), record)),
  };
}

function createPrismaUserRepository(db: Pick<DbTransaction, 'user'>): UserRepository {
  return {
    count: () => db.user.count(),
    list: async () => (await db.user.findMany()).map(fromRow).toSorted(byName),
    findById: async (id) => optional(await db.user.findUnique({ where: { id } })),
    findByUsername: async (username) => optional(await db.user.findUnique({ where: { username } })),
    findByExternalId: async (externalId) => optional(await db.user.findUnique({ where: { externalId } })),
    countOtherEnabledAdmins: (id) => db.user.count({ where: { role: 'admin', isDisabled: false, NOT: { id } } }),
    insert: async (user) => {
      await db.user.create({ data: toRow(user) }).catch((error: unknown) => rethrow(error, user));
    },
    update: async (user) => {
      await db.user
        .update({ where: { id: user.id }, data: toRow(user) })
        .catch((error: unknown) => rethrow(error, user));
    },
    remove: async (id) => {
      await db.user.delete({ where: { id } }).catch((error: unknown) => rethrow(error, { id, username: '' }));
    },
  };
}

/** Compares users for the list, whose order is the same in every store; databases have sorting rules of their own. */
export function byName(a: User, b: User): number {
  const toSortKey = (user: User): string => `${user.username.toLowerCase()}\u0000${user.id}`;
  return toSortKey(a) < toSortKey(b) ? -1 : 1;
}

function rethrow(error: unknown, user: Pick<User, 'id' | 'username'>): never {
  const failure = translatePrismaError(error);
  if (failure?.kind === 'unique' && failure.constraint === 'user_username_key') throw usernameTaken(user.username);
  if (failure?.kind === 'unique' && failure.constraint === 'user_external_id_key') throw externalIdTaken();
  if (failure?.kind === 'not_found') throw userNotFound(user.id);
  throw error;
}

function toRow(user: User) {
  return {
    ...user,
    usernameKey: user.username.toLowerCase(),
    passwordHash: user.passwordHash ?? '',
    externalId: user.externalId ?? null,
    workspaceAccess: { ...user.workspaceAccess },
  };
}

function optional(row: UserRow | null): User | undefined {
  return row === null ? undefined : fromRow(row);
}

function fromRow(row: UserRow): User {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.passwordHash === '' ? undefined : row.passwordHash,
    authProvider: AuthProvider.parse(row.authProvider),
    externalId: row.externalId ?? undefined,
    role: UserRole.parse(row.role),
    workspaceAccess: WorkspaceAccess.parse(row.workspaceAccess),
    isDisabled: row.isDisabled,
    tokenVersion: row.tokenVersion,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
