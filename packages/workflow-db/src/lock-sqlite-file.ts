import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { databaseInUse } from './database-errors';
import { isHeldElsewhere, lockFile, type FileLock } from './lock-file';
import { createPrivateFile } from './private-file';

/**
 * Locks a SQLite file for the server of an installation, or throws `unavailable` with reason `database_in_use` and the
 * server's pid. Processes of single commands work beside it, see `createWorkerLocks`. The file must be on a local disk.
 *
 * The folder of `weir.db` also contains `weir.db.lock`, which is locked, and `weir.db.owner`, which only names the
 * owner.
 */
export function lockSqliteFile(file: string): FileLock {
  createPrivateFile(file);
  // Two paths to one file must share one lock.
  const real = realpathSync(file);
  const ownerFile = `${real}.owner`;
  const lock = lockForServer();
  let isHeld = true;
  writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      // The lock file stays: without it a third process could lock a new file of the same name.
      rmSync(ownerFile, { force: true });
      lock.release();
    },
  };

  function lockForServer(): FileLock {
    try {
      return lockFile(`${real}.lock`);
    } catch (error) {
      throw isHeldElsewhere(error) ? databaseInUse(path.resolve(file), readOwner(ownerFile), error) : error;
    }
  }
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
