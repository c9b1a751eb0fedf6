import { existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isHeldElsewhere, isMissingFile, lockFile, type FileLock } from './lock-file';

/**
 * Shows which workers of a SQLite database are alive: each holds a lock that the operating system releases when the
 * process ends.
 */
export interface WorkerLocks {
  /** To be called before anything is stored with this id, which no other worker has or had. */
  readonly hold: (workerId: string) => FileLock;
  readonly isAlive: (workerId: string) => boolean;
}

/** The locks are in a folder beside the database, `weir.db.workers`. */
export function createWorkerLocks(databaseFile: string): WorkerLocks {
  const folder = `${realpathSync(databaseFile)}.workers`;
  const fileOf = (workerId: string): string => path.join(folder, workerId);
  return {
    hold: (workerId) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const lock = lockFile(fileOf(workerId));
      return {
        release: () => {
          rmSync(fileOf(workerId), { force: true });
          lock.release();
        },
      };
    },
    isAlive: (workerId) => {
      if (!existsSync(fileOf(workerId))) return false;
      try {
        const lock = lockFile(fileOf(workerId), { fileMustExist: true });
        // A killed process left it, and no other process ever holds this lock.
        rmSync(fileOf(workerId), { force: true });
        lock.release();
        return false;
      } catch (error) {
        if (isHeldElsewhere(error)) return true;
        if (isMissingFile(error)) return false;
        throw error;
      }
    },
  };
}
