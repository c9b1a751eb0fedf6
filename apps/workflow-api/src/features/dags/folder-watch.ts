import { watch, type FSWatcher } from 'node:fs';
import type { Logger } from '@weir/service-kit';

export interface FolderWatchOptions {
  readonly folder: string;
  readonly logger: Logger;
  /** Names of entries that may have changed; `undefined` when the system does not say which. */
  readonly onChange: (names: ReadonlySet<string> | undefined) => void;
}

const settleMs = 30;

/**
 * Tells of changes in a folder as far as the file system does; where it does not, the regular comparison of the
 * folder has to find them.
 */
export function watchFolder({ folder, logger, onChange }: FolderWatchOptions): { stop(): void } {
  let watcher: FSWatcher | undefined;
  let names: Set<string> | undefined = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const changed = names;
    names = new Set();
    timer = undefined;
    onChange(changed);
  };
  const onFailure = (error: unknown): void => {
    logger.warn({ folder, error }, 'folder is not watched');
    watcher?.close();
  };
  try {
    watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null) names = undefined;
      else names?.add(name);
      // An editor makes several events of one save; they are taken together.
      timer ??= setTimeout(flush, settleMs);
    });
    watcher.on('error', onFailure);
  } catch (error) {
    onFailure(error);
  }
  return {
    stop: () => {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
