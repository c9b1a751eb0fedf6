import Sqlite from 'better-sqlite3';
import { checkDatabaseSound } from './check-database-sound';

/**
 * Copies a SQLite database into a new file, as it is at one moment, while other processes may write to it. Throws
 * `unavailable`, reason `database_damaged`, when the copy is not sound.
 */
export async function backUpSqlite(file: string, copy: string): Promise<void> {
  const source = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    // The rest in one step: a copy in many would begin anew with each write of another process.
    await source.backup(copy, { progress: ({ remainingPages }) => remainingPages });
  } finally {
    source.close();
  }
  joinLog(copy);
  await checkDatabaseSound({ provider: 'sqlite', file: copy });
}

/** Into one file, without those of a write-ahead log beside it. */
function joinLog(copy: string): void {
  const database = new Sqlite(copy);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}
