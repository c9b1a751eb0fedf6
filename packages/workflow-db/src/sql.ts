import { Prisma } from './generated/sqlite/client';
import type { DbTransaction } from './db';

/** A fragment of SQL with its values, for `$queryRaw`; fragments can be nested. Works on both databases. */
export const sql: typeof Prisma.sql = Prisma.sql;

/** Joins at least one fragment or value, by default with commas. */
export const joinSql: typeof Prisma.join = Prisma.join;

/** An empty fragment. */
export const noSql: typeof Prisma.empty = Prisma.empty;

/**
 * A value for each column of a table, so that a new column of the model is a compile error until it has a value. JSON
 * is text.
 */
export type ColumnsOf<Model> = { readonly [Column in keyof Model]-?: unknown };

/**
 * Stores rows, at least one, in one statement. Prisma plans `createMany` again for each number of rows, which takes many
 * times as long as the statement; of this nothing is planned.
 *
 * @param rows With the same columns in the same order.
 */
export async function insertRows<Model>(
  db: Pick<DbTransaction, '$executeRaw'>,
  table: Prisma.ModelName,
  rows: readonly ColumnsOf<Model>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((column) => Prisma.raw(`"${column}"`));
  const values = rows.map((row) => sql`(${joinSql(Object.values(row))})`);
  await db.$executeRaw`INSERT INTO ${Prisma.raw(`"${table}"`)} (${joinSql(columns)}) VALUES ${joinSql(values)}`;
}
