import { Prisma } from './generated/sqlite/client';

/** A piece of SQL with its values, for `$queryRaw`; pieces may hold pieces. Works on both databases. */
export const sql: typeof Prisma.sql = Prisma.sql;

/** Pieces or values one after the other, with a comma between them unless told otherwise; at least one. */
export const joinSql: typeof Prisma.join = Prisma.join;

/** A piece that says nothing. */
export const noSql: typeof Prisma.empty = Prisma.empty;
