import {
  createRun,
  isRunId,
  runSelector,
  withReusedSteps,
  type DagRun,
  type DagRunStep,
  type RunActor,
  type RunSource,
  type StepOutputs,
  type StoredRun,
  type Clock,
} from '@weir/workflow-engine/model';
import type { Dag } from '@weir/workflow-spec';
import type { Audited } from '../../../access/audited-operation';
import type { RandomSource } from '../../../adapters/random-source';
import { dagRunActive, dagRunExists, runIdInvalid } from '../store/dag-run-errors';
import type { DagRunRepository } from '../store/dag-run-repository';
import { checkDag, readInputs, type StartInputs } from './check-start';
import type { RunFiles } from '../../../run-files';
import { copyLogs } from './copy-logs';
import { ownArtifactsFolder, runLogFolder } from './run-log-folder';

export interface RunStarterDependencies {
  readonly runs: DagRunRepository;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly runFiles: Pick<RunFiles, 'copy'>;
  readonly logDir: string;
  /** The folder of the files that `fileName` names without a path. */
  readonly dagsDir: string;
  /** The folder for the working folders of runs and, unless their DAG names another folder, their artifacts. */
  readonly runsDir: string;
  /** The folder that `~` stands for in `log_dir`. */
  readonly home?: string | undefined;
  /** Called after a queued run was stored. */
  readonly onQueued: () => void;
  /** Called after a root run was stored. */
  readonly onRootStored: (dag: Dag) => void;
  /** The worker of this process, which executes immediate runs without the queue. Without one, they are queued. */
  readonly local?: LocalWorker | undefined;
}

export interface LocalWorker {
  /**
   * Returns the owner of the next run; `undefined` when the worker lacks capacity or a label of the selector, or
   * claims no runs.
   */
  ownerId(selector: string): string | undefined;
  /** Called with the stored run, so that it need not be read again. Never rejects. */
  execute(stored: StoredRun): Promise<void>;
}

export interface StartOptions extends StartInputs, Audited {
  readonly dagRunId?: string | undefined;
  readonly singleton?: boolean | undefined;
  /** Default: `manual`. */
  readonly triggerType?: DagRun['triggerType'] | undefined;
  /** Default: unknown. */
  readonly startedBy?: RunActor | undefined;
  /** The occurrence that the run is for. */
  readonly scheduleTime?: Date | undefined;
  /** Default: the queue of the DAG. */
  readonly queueName?: string | undefined;
  /** A higher priority comes first; one point counts like one minute of waiting. Default: 0. */
  readonly priority?: number | undefined;
  /** The step that starts the run and waits for it. */
  readonly parent?: Parameters<typeof createRun>[1]['parent'];
  /** Whether the steps of a build execute although their files are up to date. Default: false. */
  readonly rebuild?: boolean | undefined;
  /** Whether the run needs no free slot of its queue. */
  readonly isImmediate?: boolean | undefined;
  /** The worker that executes it at once. Without one the run is queued. */
  readonly ownerId?: string | undefined;
  /** Replaces the selector of the DAG; see `selectorText`. */
  readonly workerSelector?: string | undefined;
  /** Steps that are not executed. Default: none. */
  readonly reused?: ReusedSteps | undefined;
}

/** The ends of steps of an earlier run that a new run takes over, by their positions in the new one. */
export interface ReusedSteps {
  readonly steps: ReadonlyMap<number, DagRunStep>;
  readonly outputs: ReadonlyMap<number, StepOutputs>;
}

export type StartRun = (source: RunSource, options: StartOptions) => Promise<DagRun>;

/**
 * Stores a run with its spec; a later edit of the file does not change it. Throws, in this order,
 * `dag_name_of_other_workspace`, `dag_not_runnable`, `request_invalid` for the run id, `dag_run_active`,
 * `dag_run_exists`, `labels_invalid`, `params_invalid`, `log_dir_unusable`, `artifacts_dir_unusable`,
 * `worker_selector_unusable`, `logs_not_copied`.
 */
export function createRunStarter(dependencies: RunStarterDependencies): StartRun {
  const { runs, clock, random, runFiles, onQueued, onRootStored, local } = dependencies;
  return async (source, options) => {
    const { dag } = source;
    const { dagRunId, singleton = false, audit } = options;
    await checkDag(runs, dag, options);
    if (dagRunId !== undefined && !isRunId(dagRunId)) throw runIdInvalid();
    // The transaction checks both conditions again; here they only determine the order of refusals.
    if (singleton && (await runs.hasActive(dag.name))) throw dagRunActive(dag.name);
    if (dagRunId !== undefined && (await runs.find(dag.name, dagRunId))) throw dagRunExists(dagRunId);
    const { labels, params } = await readInputs(source, options, dependencies);
    const folders = {
      logDir: runLogFolder({ ...source, ...dependencies, params }),
      runsDir: dependencies.runsDir,
      artifactsDir: ownArtifactsFolder({ ...source, ...dependencies, params }),
    };
    const workerSelector = options.workerSelector ?? runSelector(dag, params);
    const mayExecute = options.ownerId === undefined && options.isImmediate === true;
    const localOwner = mayExecute ? local?.ownerId(workerSelector) : undefined;
    const ownerId = options.ownerId ?? localOwner;
    const created = createRun(
      source,
      { ...options, ownerId, labels, resolvedParams: params, workerSelector },
      { folders, identity: { id: random.uuid(), createdAt: clock.now(), randomBytes: (size) => random.bytes(size) } },
    );
    const { run } = created;
    const { reused } = options;
    const nodes = reused === undefined ? created.nodes : withReusedSteps(created.nodes, reused.steps);
    const isUnlimited = options.isImmediate === true;
    const insert = () => runs.insert(run, nodes, { audit, singleton, isUnlimited, ...toFirstAttempt(reused) });
    await (reused === undefined ? insert() : insertWithLogs({ runFiles, nodes, reused }, insert));
    if (ownerId === undefined) onQueued();
    if (localOwner !== undefined) void local?.execute({ run, nodes });
    if (run.depth === 0) onRootStored(dag);
    return run;
  };
}

function toFirstAttempt(reused: ReusedSteps | undefined) {
  if (reused === undefined) return {};
  const { outputs, steps } = reused;
  return { outputs, firstAttempt: { cause: 'edit_retry', reusedSteps: steps.size } } as const;
}

interface ReusedLogs extends Pick<RunStarterDependencies, 'runFiles'> {
  readonly nodes: readonly DagRunStep[];
  readonly reused: ReusedSteps;
}

/** The logs are stored first, so that every reader of the run finds them. */
async function insertWithLogs(
  { runFiles, nodes, reused: { steps } }: ReusedLogs,
  insert: () => Promise<void>,
): Promise<void> {
  const removeCopies = await copyLogs(
    runFiles,
    [...steps].flatMap(([position, from]) =>
      nodes.filter((node) => node.scope === '' && node.position === position).map((to) => ({ from, to })),
    ),
  );
  try {
    await insert();
  } catch (error) {
    await removeCopies();
    throw error;
  }
}
