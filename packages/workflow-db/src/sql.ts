import { Prisma } from './generated/sqlite/client';

/** A fragment of SQL with its values, for `$queryRaw`; fragments can be nested. Works on both databases. */
export const sql: typeof Prisma.sql = Prisma.sql;

/** Joins at least one fragment or value, by default with commas. */
export const joinSql: typeof Prisma.join = Prisma.join;

/** An empty fragment. */
export const noSql: typeof Prisma.empty = Prisma.empty;
