import type { Dag } from '@weir/workflow-spec';
import type { DagRun } from '@weir/workflow-engine';
import type { RunSource, StartRun, WaitForRun } from '../../dag-runs';

/** What a step that runs other DAGs needs of the service around it. */
export interface ChildRuns {
  /** A DAG by its name in the DAGs folder, or by its path, which goes by `folder`. Throws when it cannot be run. */
  findDag(text: string, folder: string): Promise<RunSource>;
  readonly start: StartRun;
  /** Carries out a run that this process was given. Never rejects. */
  execute(run: DagRun): Promise<void>;
  /**
   * Makes a run that did not end well begin again under this owner. Returns the promise of its end, which never
   * rejects.
   */
  retry(run: DagRun, ownerId: string): Promise<{ readonly ended: Promise<void> }>;
  /** Waits for a run that is executed here or by another process. */
  readonly waitFor: WaitForRun;
  /** Asks a run to end. */
  stop(id: string): Promise<void>;
}

/** One of the DAGs of a text, as the source of a run. Where it names no workspace, it is in that of the run. */
export function toLocalSource(
  dag: Dag,
  run: Pick<DagRun, 'specText' | 'baseTexts' | 'fileName' | 'workspace'>,
): RunSource {
  const { specText, baseTexts, fileName } = run;
  const workspace = dag.workspace ?? run.workspace;
  const dagInWorkspace = workspace === null ? dag : { ...dag, workspace };
  return { dag: dagInWorkspace, specText, baseTexts, fileName: fileName ?? dag.name };
}
