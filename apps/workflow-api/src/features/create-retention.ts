import { systemTimer } from '@weir/workflow-engine';
import { createRetention, createRunRemover, removeRunFiles, type RemoveRun, type Retention } from './retention';
import type { WorkflowFeaturesOptions, WorkflowStores } from './workflow-features';

export interface KeptFolders {
  readonly workDir: string;
  readonly artifactsDir: string;
}

/** What removes runs with all they left, at somebody's wish or because their DAG does not keep them. */
export function createRetentionOf(
  { clock, timer = systemTimer, logger, logFolder }: WorkflowFeaturesOptions,
  { parsers, runs, retained }: WorkflowStores,
  { workDir, artifactsDir }: KeptFolders,
): { readonly removeRun: RemoveRun; readonly retention: Retention } {
  const folders = { logFolder, workFolder: workDir, artifactsFolder: artifactsDir };
  const removeRun = createRunRemover({ runs, removeFiles: (run) => removeRunFiles(run, folders) });
  const retention = createRetention({ runs, removeRun, ...retained, parser: parsers.forServer, clock, timer, logger });
  return { removeRun, retention };
}
