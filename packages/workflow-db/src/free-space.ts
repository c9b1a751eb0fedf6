import type { Database } from './create-database';

/** Pages freed by one call: about four megabytes, so that other queries do not wait long. */
const pages = 1_000;

/**
 * Returns a part of the space of deleted rows in a SQLite file to the disk. Does nothing for a file without incremental
 * vacuum, and for PostgreSQL, which vacuums by itself.
 */
export async function freeSpace({ db, provider }: Pick<Database, 'db' | 'provider'>): Promise<void> {
  if (provider !== 'sqlite') return;
  await db.$executeRawUnsafe(`PRAGMA incremental_vacuum(${pages})`);
}
