import type { DagRunSummary as WireSummary } from '@weir/workflow-contract/schemas';
import type { DagRunSummary } from '@weir/workflow-engine/model';
import type { RunFiles } from '../../../run-files';
import { presentRunSummary } from './dag-run-presenter';
import { findRunsWithArtifacts } from './has-artifacts';

/** Presents the runs in their order. */
export async function presentRuns(
  runFiles: Pick<RunFiles, 'view'>,
  runs: readonly DagRunSummary[],
): Promise<WireSummary[]> {
  const withArtifacts = await findRunsWithArtifacts(runFiles, runs);
  return runs.map((run) => presentRunSummary(run, withArtifacts.has(run.id)));
}
