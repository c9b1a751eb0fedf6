import type { Database } from './create-database';

/** Pages given back at one time: about four megabytes, so that other work does not wait long for it. */
const pages = 1_000;

/**
 * Gives a part of the space that removed rows leave in a SQLite file back to the disk. Does nothing for a file that was
 * made without incremental vacuum, and for PostgreSQL, which does it by itself.
 */
export async function freeSpace({ db, provider }: Pick<Database, 'db' | 'provider'>): Promise<void> {
  if (provider !== 'sqlite') return;
  await db.$executeRawUnsafe(`PRAGMA incremental_vacuum(${pages})`);
}
