import type Sqlite from 'better-sqlite3';

/** Returns another value after each change of the file, by this process or another one. */
export type ReadRevision = () => string | undefined;

/**
 * Costs some microseconds: SQLite compares a counter in memory that the processes share.
 *
 * @param client The connection that this process writes with: `data_version` counts the commits of all others.
 */
export function createRevisionReader(client: Pick<Sqlite.Database, 'prepare'>): ReadRevision {
  const others = client.prepare('PRAGMA data_version').raw(true);
  const own = client.prepare('SELECT total_changes()').raw(true);
  return () => {
    try {
      return String([others.get(), own.get()]);
    } catch {
      // Locked by another process, which therefore changes it.
      return undefined;
    }
  };
}
