import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@weir/service-kit';
import { isMissing } from './read-dag-file';

export interface FolderWatchOptions {
  readonly folder: string;
  readonly logger: Logger;
  /** Names of entries that may have changed; `undefined` when the system does not say which. */
  readonly onChange: (names: ReadonlySet<string> | undefined) => void;
}

export interface FolderWatch {
  /** Watches the folder that is there now, if there is one. */
  follow(): Promise<void>;
  /** Whether another folder, or none, is now where the watched one was. */
  isReplaced(): Promise<boolean>;
  stop(): void;
}

const settleMs = 30;

/**
 * Notifies of changes in a folder as far as the file system does; where it does not, the regular comparison of the
 * folder has to find them. A watch stays with its folder when that is moved away: `follow` finds the one in its place.
 */
export function createFolderWatch({ folder, logger, onChange }: FolderWatchOptions): FolderWatch {
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let isStopped = false;
  let names: Set<string> | undefined = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const changed = names;
    names = new Set();
    timer = undefined;
    onChange(changed);
  };
  const record = (name: string | null): void => {
    // Changes of the folder itself, moved or removed, are reported under its own name.
    if (name === null || name === path.basename(folder)) names = undefined;
    else names?.add(name);
    // An editor makes several events of one save; they are taken together.
    timer ??= setTimeout(flush, settleMs);
  };
  const begin = (): void => {
    watcher?.close();
    try {
      const current = watch(folder, { persistent: false }, (_event, name) => record(name));
      watcher = current;
      current.on('error', (error) => {
        logger.warn({ folder, error }, 'folder is no longer watched');
        current.close();
        // The next comparison tries again.
        if (watcher === current) watched = undefined;
        record(null);
      });
    } catch (error) {
      // Not tried again with the same folder: it would fail, and be logged, each time.
      logger.warn({ folder, error }, 'folder is not watched');
    }
  };
  return {
    follow: async () => {
      const found = await readIdentity(folder);
      if (isStopped) return;
      if (found === undefined) watcher?.close();
      else if (found !== watched) begin();
      watched = found;
    },
    isReplaced: async () => (await readIdentity(folder)) !== watched,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** The time of creation distinguishes a folder from a deleted one with the same inode. */
async function readIdentity(folder: string): Promise<string | undefined> {
  try {
    const { dev, ino, birthtimeNs } = await stat(folder, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
