import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { watchdog } from './watchdog';

export interface TemporaryFolder {
  /** Absolute, with symbolic links resolved. */
  readonly path: string;
  /** `file('a', 'b.txt')` is the path of that entry; it is not created. */
  readonly file: (...names: string[]) => string;
  readonly remove: () => Promise<void>;
}

/**
 * Creates a new empty folder below the system's temporary folder. It is removed by `remove()`, or when the test process
 * ends.
 */
export function temporaryFolder(prefix = 'weir-test-'): TemporaryFolder {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), prefix));
  watchdog().guardFolder(folder);
  return {
    path: folder,
    file: (...names) => path.join(folder, ...names),
    remove: async () => {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      watchdog().releaseFolder(folder);
    },
  };
}
