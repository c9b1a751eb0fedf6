import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { databaseInUse } from './database-errors';
import { createPrivateFile } from './private-file';

export interface SqliteFileLock {
  /** Releases the file. Calling it again does nothing. */
  readonly release: () => void;
}

/**
 * Locks a SQLite file for this process, or throws `unavailable` with reason `database_in_use` and the owner's pid. The
 * operating system releases the lock when the process ends, so a killed process leaves no stale lock. It does not hold
 * across machines: the file must be on a local disk.
 *
 * The folder of `weir.db` also contains `weir.db.lock`, which is locked, and `weir.db.owner`, which only names the
 * owner.
 */
export function lockSqliteFile(file: string): SqliteFileLock {
  createPrivateFile(file);
  // Two paths to one file must share one lock.
  const real = realpathSync(file);
  const ownerFile = `${real}.owner`;
  const lock = new Sqlite(`${real}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? databaseInUse(path.resolve(file), readOwner(ownerFile), error) : error;
  }
  writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release: () => {
      if (!lock.open) return;
      // The lock file stays: without it a third process could lock a new file of the same name.
      rmSync(ownerFile, { force: true });
      lock.close();
    },
  };
}

// By its code and not by its class, because Jest's realms do not share the class of the driver.
function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/** `undefined` when the owner has not written it yet, or has just removed it. */
function readOwner(ownerFile: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(ownerFile, 'utf8'), 10);
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    // The pid only makes the error message more helpful.
    return undefined;
  }
}
