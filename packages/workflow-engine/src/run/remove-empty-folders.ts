import { rmdir } from 'node:fs/promises';
import { isSystemError } from '@weir/foundation';
import { ownFolderOf } from '../model/run-model/log-layout';
import type { Logger } from '../model/ports/logger';
import type { DagRun } from '../model/run-model/dag-run';

/** Folders of the run without a file go; those with files stay. A failure is only logged. */
export async function removeEmptyFolders(run: DagRun, logger: Logger): Promise<void> {
  const own = ownFolderOf(run);
  for (const folder of own === undefined ? [run.workDir] : [run.workDir, own]) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST')) continue;
      logger.warn({ folder, error }, 'empty folder of the run could not be removed');
    }
  }
}
