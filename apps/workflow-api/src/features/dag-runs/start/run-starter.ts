import {
  createRun,
  isRunId,
  type DagRun,
  type RunSource,
  type StoredRun,
  unsupportedParts,
  type Clock,
} from '@weir/workflow-engine';
import { resolveParams, type Dag } from '@weir/workflow-spec';
import type { RandomSource } from '../../../adapters/random-source';
import {
  dagNameOfOtherWorkspace,
  dagNotRunnable,
  dagRunActive,
  dagRunExists,
  paramsInvalid,
  runIdInvalid,
} from '../dag-run-errors';
import type { DagRunRepository } from '../storage/dag-run-repository';
import { loadParamSchema } from './load-param-schema';
import { mergeLabels } from './run-labels';
import { runArtifactsFolder, runLogFolder } from './run-log-folder';

export interface RunStarterDependencies {
  readonly runs: DagRunRepository;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logDir: string;
  /** The folder of the files that `fileName` names without a path. */
  readonly dagsDir: string;
  readonly workDir: string;
  /** The artifacts of runs are below it unless their DAG names another folder. */
  readonly artifactsDir: string;
  /** What `~` stands for in `log_dir`. */
  readonly home?: string | undefined;
  /** Called after a queued run was stored. */
  readonly onQueued: () => void;
  /** Called after a root run was stored. */
  readonly onRootStored: (dag: Dag) => void;
  /** The worker of this process, which executes immediate runs without the queue. Left out, they are queued. */
  readonly local?: LocalWorker | undefined;
}

export interface LocalWorker {
  /** The owner of the next run; `undefined` when the worker has no capacity left or claims no runs. */
  ownerId(): string | undefined;
  /** Called after the run was stored, with what was stored: it need not be read again. Never rejects. */
  execute(stored: StoredRun): Promise<void>;
}

export interface StartOptions {
  readonly params?: string | undefined;
  readonly dagRunId?: string | undefined;
  readonly singleton?: boolean | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Default: `manual`. */
  readonly triggerType?: DagRun['triggerType'] | undefined;
  /** The occurrence that the run is for. */
  readonly scheduleTime?: Date | undefined;
  /** Default: the queue of the DAG. */
  readonly queueName?: string | undefined;
  /** Higher comes first; one point counts like one minute of waiting. Default: 0. */
  readonly priority?: number | undefined;
  /** The step that starts the run and waits for it. */
  readonly parent?: Parameters<typeof createRun>[1]['parent'];
  /** Whether the run needs no free slot of its queue. */
  readonly isImmediate?: boolean | undefined;
  /** The worker that executes it at once. Without it the run is queued. */
  readonly ownerId?: string | undefined;
  /**
   * Whether the caller may start runs in this workspace, `undefined` for none. It is asked when another workspace uses
   * the name of the DAG. Left out, the caller may do so everywhere.
   */
  readonly mayStartIn?: ((workspace: string | undefined) => boolean) | undefined;
}

export type StartRun = (source: RunSource, options: StartOptions) => Promise<DagRun>;

/**
 * Stores a run with its spec; a later edit of the file does not change it. Throws, in this order,
 * `dag_name_of_other_workspace`, `dag_not_runnable`, `request_invalid` for the run id, `dag_run_active`,
 * `dag_run_exists`, `labels_invalid`, `params_invalid`, `log_dir_unusable`, `artifacts_dir_unusable`.
 */
export function createRunStarter(dependencies: RunStarterDependencies): StartRun {
  const { runs, clock, random, onQueued, onRootStored, local } = dependencies;
  return async (source, options) => {
    const { dag } = source;
    const { dagRunId, singleton = false } = options;
    // First of all, because every other refusal would disclose something about the runs of that workspace.
    await checkWorkspace(runs, dag, options);
    const unsupported = unsupportedParts(dag);
    if (unsupported.length > 0) throw dagNotRunnable(dag.name, unsupported);
    if (dagRunId !== undefined && !isRunId(dagRunId)) throw runIdInvalid();
    // The transaction checks both again; here they only determine the order of refusals.
    if (singleton && (await runs.hasActive(dag.name))) throw dagRunActive(dag.name);
    if (dagRunId !== undefined && (await runs.find(dag.name, dagRunId))) throw dagRunExists(dagRunId);
    const labels = mergeLabels(dag, options.labels ?? []);
    const declared = await loadParamSchema({ ...source, dagsDir: dependencies.dagsDir });
    const { params, problems } = resolveParams(declared, options.params);
    if (problems.length > 0) throw paramsInvalid(problems);
    const folders = {
      logDir: runLogFolder({ ...source, ...dependencies, params }),
      workDir: dependencies.workDir,
      artifactsDir: runArtifactsFolder({ ...source, ...dependencies, params }),
    };
    const localOwner = options.ownerId === undefined && options.isImmediate === true ? local?.ownerId() : undefined;
    const ownerId = options.ownerId ?? localOwner;
    const created = createRun(
      source,
      { ...options, ownerId, labels, resolvedParams: params },
      { folders, identity: { id: random.uuid(), createdAt: clock.now(), randomBytes: (size) => random.bytes(size) } },
    );
    const { run, nodes } = created;
    await runs.insert(run, nodes, { singleton, isUnlimited: options.isImmediate === true });
    if (ownerId === undefined) onQueued();
    if (localOwner !== undefined) void local?.execute(created);
    if (run.depth === 0) onRootStored(dag);
    return run;
  };
}

async function checkWorkspace(runs: DagRunRepository, dag: Dag, { mayStartIn }: StartOptions): Promise<void> {
  if (mayStartIn === undefined) return;
  const latest = await runs.findLatestWorkspace(dag.name);
  if (latest === undefined) return;
  const workspace = latest.workspace ?? undefined;
  if (workspace !== dag.workspace && !mayStartIn(workspace)) throw dagNameOfOtherWorkspace(dag.name);
}
