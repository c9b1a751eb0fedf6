import { isHeldElsewhere, lockFile, type FileLock } from './lock-file';

/**
 * Locks a file, which is created unless it is there; `undefined` when it is locked, also by this process. The operating
 * system releases the lock when the process ends. It does not hold across machines.
 */
export function tryLockFile(file: string): FileLock | undefined {
  try {
    return lockFile(file);
  } catch (error) {
    if (isHeldElsewhere(error)) return undefined;
    throw error;
  }
}
