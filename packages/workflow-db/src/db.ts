import type { Prisma, PrismaClient as SqliteClient } from './generated/sqlite/client';

/** The Prisma client that all code uses, for both databases. */
export type Db = SqliteClient;

/** The same client inside a transaction. */
export type DbTransaction = Prisma.TransactionClient;
