import { isDriverAdapterError, type DriverAdapterError, type MappedError } from '@prisma/driver-adapter-utils';
import { Prisma } from './generated/sqlite/client';
import {
  findUniqueConstraint,
  isUniqueConstraintName,
  uniqueConstraints,
  type ModelName,
  type UniqueConstraintName,
} from './unique-constraints';

export type DatabaseFailure =
  /** A row with this key exists already. */
  | { readonly kind: 'unique'; readonly model: ModelName; readonly constraint: UniqueConstraintName }
  /** The row to change, or one that the change refers to, does not exist. */
  | { readonly kind: 'not_found' }
  /** The change would leave a reference to a missing row. */
  | { readonly kind: 'foreign_key' }
  /** Another transaction was first; the whole unit of work may be repeated. */
  | { readonly kind: 'write_conflict' }
  /** No connection or lock was free in time; nothing was changed. */
  | { readonly kind: 'busy' }
  /** The disk of the database has no space; nothing was changed. */
  | { readonly kind: 'full' }
  /** The server does not answer, or refuses the connection. */
  | { readonly kind: 'unreachable' };

const kindOfCode: Readonly<Record<string, Exclude<DatabaseFailure['kind'], 'unique'>>> = {
  P1000: 'unreachable',
  P1001: 'unreachable',
  P1002: 'unreachable',
  P1003: 'unreachable',
  P1010: 'unreachable',
  P1011: 'unreachable',
  P1017: 'unreachable',
  P1008: 'busy',
  P2024: 'busy',
  P2028: 'busy',
  P2037: 'busy',
  P2003: 'foreign_key',
  P2014: 'foreign_key',
  P2001: 'not_found',
  P2015: 'not_found',
  P2018: 'not_found',
  P2025: 'not_found',
  P2034: 'write_conflict',
};

const kindOfDriverError: Partial<Record<MappedError['kind'], Exclude<DatabaseFailure['kind'], 'unique'>>> = {
  DatabaseNotReachable: 'unreachable',
  DatabaseDoesNotExist: 'unreachable',
  DatabaseAccessDenied: 'unreachable',
  AuthenticationFailed: 'unreachable',
  ConnectionClosed: 'unreachable',
  TlsConnectionError: 'unreachable',
  SocketTimeout: 'busy',
  TooManyConnections: 'busy',
  ForeignKeyConstraintViolation: 'foreign_key',
  RestrictViolation: 'foreign_key',
  TransactionWriteConflict: 'write_conflict',
};

/**
 * Translates a failure of SQLite or PostgreSQL into the same terms. `undefined` for everything that is not an expected
 * failure of a database.
 */
export function translatePrismaError(error: unknown): DatabaseFailure | undefined {
  if (isDriverError(error)) return translateDriverError(error.cause);
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  const driverError = findDriverError(error);
  if (error.code === 'P2002') return driverError && translateDriverError(driverError);
  const kind = kindOfCode[error.code];
  if (kind !== undefined) return { kind };
  return driverError && translateDriverError(driverError);
}

/** Prisma attaches the report of the driver adapter to its own error. */
function findDriverError(error: Prisma.PrismaClientKnownRequestError): MappedError | undefined {
  const inner = error.meta?.driverAdapterError;
  return isDriverError(inner) ? inner.cause : undefined;
}

/** The library's own check reads properties of any value. */
function isDriverError(value: unknown): value is DriverAdapterError {
  return value instanceof Error && isDriverAdapterError(value);
}

function translateDriverError(error: MappedError): DatabaseFailure | undefined {
  if (error.kind === 'UniqueConstraintViolation') return translateUnique(error);
  if (isFull(error)) return { kind: 'full' };
  if (error.kind === 'postgres' && isShutDown(error.code)) return { kind: 'unreachable' };
  const kind = kindOfDriverError[error.kind];
  return kind && { kind };
}

/** Checks the code of SQLite, which also counts a limit of pages, and that of PostgreSQL for a full disk. */
function isFull(error: MappedError): boolean {
  return (
    (error.kind === 'sqlite' && 'originalCode' in error && error.originalCode === 'SQLITE_FULL') ||
    (error.kind === 'postgres' && error.code === '53100')
  );
}

/** PostgreSQL is stopping, was stopped, or is not ready yet, or the connection broke. */
function isShutDown(code: string): boolean {
  return /^(57P0[1-3]|08...)$/.test(code);
}

type UniqueViolation = Extract<MappedError, { kind: 'UniqueConstraintViolation' }>;

function translateUnique({ constraint, table }: UniqueViolation): DatabaseFailure | undefined {
  const name = constraint && findConstraintName(constraint, table);
  return name && { kind: 'unique', constraint: name, model: uniqueConstraints[name].model };
}

function findConstraintName(
  constraint: NonNullable<UniqueViolation['constraint']>,
  table: string | undefined,
): UniqueConstraintName | undefined {
  if ('index' in constraint) return isUniqueConstraintName(constraint.index) ? constraint.index : undefined;
  if ('fields' in constraint && table !== undefined) return findUniqueConstraint(table, constraint.fields);
  return undefined;
}
