import Sqlite from 'better-sqlite3';

export interface FileLock {
  /** Releases the file. Calling it again does nothing. */
  readonly release: () => void;
}

/** Keeps connections from the garbage collector, which closes them and so gives their locks away. */
const held = new Set<Sqlite.Database>();

/**
 * Locks a file, which is created if necessary, or throws an error for which `isHeldElsewhere` is true. The operating
 * system releases the lock when the process ends, so a killed process leaves none. It does not hold across machines.
 */
export function lockFile(file: string, options: { readonly fileMustExist?: boolean } = {}): FileLock {
  const lock = new Sqlite(file, { timeout: 0, ...options });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  held.add(lock);
  return {
    release: () => {
      held.delete(lock);
      lock.close();
    },
  };
}

export const isHeldElsewhere = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');
export const isMissingFile = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_CANTOPEN');

// The code is checked instead of the class, because Jest's realms do not share the class of the driver.
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
