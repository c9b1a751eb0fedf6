import { rm } from 'node:fs/promises';
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
import type { DagRunRepository, InsertOptions } from '../store/dag-run-repository';
import { checkDag, readInputs, type StartInputs } from './check-start';
import type { RunFiles } from '../../../run-files';
import { copyLogs } from './copy-logs';
import { ownArtifactsFolder, runLogFolder } from './run-log-folder';
import { chooseSteps, copyWorkFiles, type ChosenSteps, type StepChoice } from './only-steps';

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
  /** Finds the profile of a start and the defaults. Throws `profile_unknown`, `profile_disabled`, `profile_protected`. */
  readonly chooseProfile: ChooseProfile;
  /** Called after a queued run was stored. */
  readonly onQueued: () => void;
  /** Called after a root run was stored. */
  readonly onRootStored: (dag: Dag) => void;
  /** The worker of this process, which executes immediate runs without the queue. Without one, they are queued. */
  readonly local?: LocalWorker | undefined;
}

/** What a new run gets from profiles. */
export type ChosenProfile = Pick<DagRun, 'profile' | 'profileLayers'>;

export interface ProfileChoice {
  /** The name that the start gives; empty for none, although there is a default. Default: the default. */
  readonly profile?: string | undefined;
  readonly workspace: string | undefined;
  /** Whether the caller may name protected profiles. */
  readonly mayUseProtected: boolean;
}

export type ChooseProfile = (choice: ProfileChoice) => Promise<ChosenProfile>;

export interface LocalWorker {
  /**
   * Returns the owner of the next run; `undefined` when the worker lacks capacity or a label of the selector, or
   * claims no runs.
   */
  ownerId(selector: string): string | undefined;
  /** Called with the stored run, so that it need not be read again. Never rejects. */
  execute(stored: StoredRun): Promise<void>;
}

export interface StartOptions extends StartInputs, StepChoice, Audited {
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
  /** Files that start this run, and no other one. Default: none. */
  readonly accepted?: InsertOptions['accepted'];
  /** Whether the run needs no free slot of its queue. */
  readonly isImmediate?: boolean | undefined;
  /** The worker that executes it at once. Without one the run is queued. */
  readonly ownerId?: string | undefined;
  /** Replaces the selector of the DAG; see `selectorText`. */
  readonly workerSelector?: string | undefined;
  /** See `ProfileChoice`. */
  readonly profile?: string | undefined;
  /** Whether the caller may name protected profiles. Default: no. */
  readonly mayUseProtected?: boolean | undefined;
  /** The profile of the run that starts this one, instead of a choice. */
  readonly inherited?: ChosenProfile | undefined;
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
 * `dag_run_exists`, `labels_invalid`, `params_invalid`, `profile_unknown`, `profile_disabled`, `profile_protected`,
 * `log_dir_unusable`, `artifacts_dir_unusable`, `worker_selector_unusable`, `steps_invalid`, `logs_not_copied`,
 * `work_files_not_copied`, `file_accepted`.
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
    const { workspace } = dag;
    const { profile, mayUseProtected = false } = options;
    const chosen = options.inherited ?? (await dependencies.chooseProfile({ profile, workspace, mayUseProtected }));
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
      { ...options, ...chosen, ownerId, labels, resolvedParams: params, workerSelector },
      { folders, identity: { id: random.uuid(), createdAt: clock.now(), randomBytes: (size) => random.bytes(size) } },
    );
    const { run } = created;
    const planned = await planSteps(runs, source, { ...options, created });
    const { nodes, outputs } = planned;
    const firstAttempt = toFirstAttempt(options.reused);
    const isUnlimited = options.isImmediate === true;
    const insert = () =>
      runs.insert(run, nodes, { audit, singleton, isUnlimited, outputs, firstAttempt, accepted: options.accepted });
    await (planned.logs.length === 0 ? insert() : insertWithFiles({ runFiles, run, planned }, insert));
    if (ownerId === undefined) onQueued();
    if (localOwner !== undefined) void local?.execute({ run, nodes });
    if (run.depth === 0) onRootStored(dag);
    return run;
  };
}

type PlannedSteps = Pick<ChosenSteps, 'nodes' | 'logs'> & Partial<ChosenSteps>;

/** The steps of a new run: some may have ended in an earlier run, or may not be among those to execute. */
async function planSteps(
  runs: DagRunRepository,
  source: RunSource,
  options: StartOptions & { readonly created: StoredRun },
): Promise<PlannedSteps> {
  const { created, only, reused } = options;
  if (only !== undefined) return chooseSteps(runs, source, { ...options, only });
  if (reused === undefined) return { nodes: created.nodes, logs: [] };
  const nodes = withReusedSteps(created.nodes, reused.steps);
  const logs = [...reused.steps].flatMap(([position, from]) =>
    nodes.filter((node) => node.scope === '' && node.position === position).map((to) => ({ from, to })),
  );
  return { nodes, logs, outputs: reused.outputs };
}

function toFirstAttempt(reused: ReusedSteps | undefined) {
  return reused === undefined ? undefined : ({ cause: 'edit_retry', reusedSteps: reused.steps.size } as const);
}

/** The files are stored first, so that every reader of the run finds them. */
async function insertWithFiles(
  {
    runFiles,
    run,
    planned: { logs, workDir },
  }: Pick<RunStarterDependencies, 'runFiles'> & {
    readonly run: DagRun;
    readonly planned: PlannedSteps;
  },
  insert: () => Promise<void>,
): Promise<void> {
  const removeCopies = await copyLogs(runFiles, logs);
  try {
    if (workDir !== undefined) await copyWorkFiles(workDir, run.workDir);
    await insert();
  } catch (error) {
    await removeCopies();
    if (workDir !== undefined) await rm(run.workDir, { recursive: true, force: true });
    throw error;
  }
}
