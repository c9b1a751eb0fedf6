import path from 'node:path';
import type { RunFiles } from '../../run-files';
import { ownFolderOf, runFolder, type DagRunSummary } from '@weir/workflow-engine/model';

export interface RunFolders {
  readonly runFiles: Pick<RunFiles, 'remove'>;
  readonly logFolder: string;
  readonly dataFolder: string;
}

export type RemovableRun = Pick<
  DagRunSummary,
  'dagName' | 'dagRunId' | 'createdAt' | 'logFile' | 'workDir' | 'artifactsDir'
>;

/**
 * Removes the log folder, the working folder and the artifacts of a deleted run. A path outside the folders of this
 * installation stays: another installation or an earlier setting created it. Logs and artifacts that the DAG stores
 * elsewhere are removed when their folder is named after the run.
 */
export async function removeRunFiles(run: RemovableRun, folders: RunFolders): Promise<void> {
  const { runFiles, logFolder, dataFolder } = folders;
  const { logFile, workDir, artifactsDir } = run;
  const logs = path.dirname(logFile);
  if (isRunFolder(logs, logFolder) || isNamedFor(run, logs)) await runFiles.remove(logs);
  const own = ownFolderOf(run);
  if (artifactsDir !== null && (path.dirname(artifactsDir) === own || isNamedFor(run, artifactsDir))) {
    await runFiles.remove(artifactsDir);
  }
  if (own !== undefined && isRunFolder(own, path.join(dataFolder, 'runs'))) await runFiles.remove(own);
  // Older runs did not have one folder for all their files: their artifacts were in a folder that is named after the run.
  if (isRunFolder(workDir, path.join(dataFolder, 'work'))) await runFiles.remove(workDir);
}

/** A run has a folder inside that of its DAG, so a folder at a higher level holds other runs too. */
function isRunFolder(folder: string, parent: string): boolean {
  const parts = path.relative(parent, folder).split(path.sep);
  return path.isAbsolute(folder) && parts.length === 2 && !parts.includes('..') && !parts.includes('');
}

/** No two runs share this name, so the folder holds only this run. */
function isNamedFor(run: RemovableRun, folder: string): boolean {
  return path.isAbsolute(folder) && folder.endsWith(path.sep + path.normalize(runFolder(run)));
}
