import { unsupportedParts, type RunSource } from '@weir/workflow-engine/model';
import type { Dag } from '@weir/workflow-spec';
import { resolveParams } from '@weir/workflow-spec/values';
import { dagNameOfOtherWorkspace, dagNotRunnable, paramsInvalid, labelsInvalid } from '../store/dag-run-errors';
import type { DagRunRepository } from '../store/dag-run-repository';
import { loadParamSchema } from './load-param-schema';

/** The part of a start that affects the content of the run. */
export interface StartInputs {
  readonly params?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  /**
   * Whether the caller may start runs in this workspace, `undefined` for none. It is called when another workspace
   * uses the name of the DAG. When omitted, the caller may start runs everywhere.
   */
  readonly mayStartIn?: ((workspace: string | undefined) => boolean) | undefined;
}

export interface StartCheckDependencies {
  readonly runs: Pick<DagRunRepository, 'findLatestWorkspace'>;
  /** The folder of the files that `fileName` names without a path. */
  readonly dagsDir: string;
}

export type StartCheck = ReturnType<typeof createStartCheck>;

/** Checks a start without storing anything. Throws the errors of a start, except those that depend on other runs and folders. */
export function createStartCheck({ runs, dagsDir }: StartCheckDependencies) {
  return async (source: RunSource, options: StartInputs): Promise<void> => {
    await checkDag(runs, source.dag, options);
    await readInputs(source, options, { dagsDir });
  };
}

/** Throws `dag_name_of_other_workspace` or `dag_not_runnable`. */
export async function checkDag(
  runs: Pick<DagRunRepository, 'findLatestWorkspace'>,
  dag: Dag,
  options: Pick<StartInputs, 'mayStartIn'>,
): Promise<void> {
  // This check comes first, because every other refusal would disclose something about the runs of that workspace.
  await checkWorkspace(runs, dag, options);
  const unsupported = unsupportedParts(dag);
  if (unsupported.length > 0) throw dagNotRunnable(dag.name, unsupported);
}

/** Throws `labels_invalid` or `params_invalid`. */
export async function readInputs(
  source: RunSource,
  options: Pick<StartInputs, 'params' | 'labels'>,
  { dagsDir }: Pick<StartCheckDependencies, 'dagsDir'>,
) {
  const labels = mergeLabels(source.dag, options.labels ?? []);
  const declared = await loadParamSchema({ ...source, dagsDir });
  const { params, problems } = resolveParams(declared, options.params);
  if (problems.length > 0) throw paramsInvalid(problems);
  return { labels, params };
}

async function checkWorkspace(
  runs: Pick<DagRunRepository, 'findLatestWorkspace'>,
  dag: Dag,
  { mayStartIn }: Pick<StartInputs, 'mayStartIn'>,
): Promise<void> {
  if (mayStartIn === undefined) return;
  const latest = await runs.findLatestWorkspace(dag.name);
  if (latest === undefined) return;
  const workspace = latest.workspace ?? undefined;
  if (workspace !== dag.workspace && !mayStartIn(workspace)) throw dagNameOfOtherWorkspace(dag.name);
}

const labelPattern = /^[a-z0-9][a-z0-9_.-]{0,62}(=[a-z0-9_./-]{0,255})?$/;

const workspaceKey = 'workspace';

/**
 * Returns the labels of a run: those of the DAG and those of the start, lower-case, sorted, without duplicates.
 * Throws `labels_invalid`, also for a label that names another workspace than that of the DAG.
 */
function mergeLabels(dag: Pick<Dag, 'labels'>, given: readonly string[]): readonly string[] {
  const added = given.map((label) => label.trim().toLowerCase().replace(/=$/, ''));
  for (const label of added) {
    if (!labelPattern.test(label)) {
      throw labelsInvalid(`"${label}" is neither "key" nor "key=value" out of letters, digits, "_", "." and "-".`);
    }
    if (label.split('=')[0] === workspaceKey && !dag.labels.includes(label)) {
      throw labelsInvalid('The workspace of a run is that of its DAG.');
    }
  }
  return [...new Set([...dag.labels, ...added])].sort();
}
