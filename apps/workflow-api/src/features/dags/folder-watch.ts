import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@weir/service-kit';
import { isMissing } from './read-dag-file';

export interface FolderWatchOptions {
  readonly folder: string;
  readonly logger: Logger;
  /** Gets the names of entries that may have changed, or `undefined` when the system does not report them. */
  readonly onChange: (names: ReadonlySet<string> | undefined) => void;
}

export interface FolderWatch {
  /** Watches the folder that has the path now, if there is one. */
  follow(): Promise<void>;
  /** Whether the path now leads to another folder, or to none. */
  isReplaced(): Promise<boolean>;
  stop(): void;
}

const settleMs = 30;

/**
 * Notifies of changes in a folder, as far as the file system reports them; the regular comparison of the folder has
 * to find the others. A watch stays with its folder when that is moved away: `follow` watches the folder that is now
 * at the path.
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
    // When the folder itself is moved or removed, the event has the folder's own name.
    if (name === null || name === path.basename(folder)) names = undefined;
    else names?.add(name);
    // An editor causes several events with one save; they are reported together.
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
      // The same folder is not tried again: it would fail, and be logged, each time.
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
