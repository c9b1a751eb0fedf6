import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { DagRunSummary } from '../dag-runs';

export interface RunFolders {
  readonly logFolder: string;
  readonly workFolder: string;
}

/**
 * Removes the log folder and the working folder of a run that is not stored any more. A path that is not where this
 * installation keeps such folders is left alone: another one, or another setting, made it.
 */
export async function removeRunFiles(
  { logFile, workDir }: Pick<DagRunSummary, 'logFile' | 'workDir'>,
  { logFolder, workFolder }: RunFolders,
): Promise<void> {
  const logs = path.dirname(logFile);
  if (isRunFolder(logs, logFolder)) await rm(logs, { recursive: true, force: true });
  if (isRunFolder(workDir, workFolder)) await rm(workDir, { recursive: true, force: true });
}

/** A run has a folder in the folder of its DAG, so anything less deep holds other runs too. */
function isRunFolder(folder: string, parent: string): boolean {
  const parts = path.relative(parent, folder).split(path.sep);
  return path.isAbsolute(folder) && parts.length === 2 && !parts.includes('..') && !parts.includes('');
}
