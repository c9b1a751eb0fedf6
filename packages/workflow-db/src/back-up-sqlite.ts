import Sqlite from 'better-sqlite3';
import { checkDatabaseSound } from './check-database-sound';

/**
 * Copies a SQLite database into a new file, as a snapshot, while other processes may write to it. Throws `unavailable`,
 * reason `database_damaged`, when the copy is not sound.
 */
export async function backUpSqlite(file: string, copy: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    // All pages are copied in one step: a copy in several steps would restart with each write of another process.
    await source.backup(copy, { progress: ({ remainingPages }) => remainingPages });
  } finally {
    source.close();
  }
  joinLog(copy);
  await checkDatabaseSound({ provider: 'sqlite', file: copy });
}

/** Makes the copy a single file without a write-ahead log. */
function joinLog(copy: string): void {
  const database = new Sqlite(copy);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}
