import { createHash } from 'node:crypto';
import { AppError } from '@weir/errors';
import {
  dagFolderName,
  handlerScope,
  isRunId,
  newStep,
  newRunId,
  runFolderName,
  runLogLayout,
  stepLogLayout,
  type StepLogFiles,
  unsupportedParts,
  type DagRun,
  type DagRunStep,
  type RunTrigger,
  type StoredRun,
  dagNotRunnable,
} from '@weir/workflow-engine';
import { resolveParams, type Dag } from '@weir/workflow-spec';
import path from 'node:path';
import type { Clock } from '../../../adapters/clock';
import type { RandomSource } from '../../../adapters/random-source';
import { dagNameOfOtherWorkspace, dagRunActive, dagRunExists, paramsInvalid, runIdInvalid } from '../dag-run-errors';
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
  /** A worker in this process that executes immediate runs without the queue. Left out, they are queued. */
  readonly local?: LocalDispatch | undefined;
}

export interface LocalDispatch {
  /** The owner of the next run; `undefined` when the worker has no capacity left. */
  ownerId(): string | undefined;
  /** Called after the run was stored, with what was stored: it need not be read again. */
  execute(stored: StoredRun): void;
}

/** A file that was parsed without errors. */
export interface RunSource {
  readonly dag: Dag;
  readonly specText: string;
  /** The base configurations that it was parsed with. */
  readonly baseTexts: readonly string[];
  /** See `DagRunSummary.fileName`. */
  readonly fileName: string;
}

export interface StartOptions {
  readonly params?: string | undefined;
  readonly dagRunId?: string | undefined;
  readonly singleton?: boolean | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Default: `manual`. */
  readonly triggerType?: RunTrigger | undefined;
  /** The occurrence that the run is for. */
  readonly scheduleTime?: Date | undefined;
  /** Default: the queue of the DAG. */
  readonly queueName?: string | undefined;
  /** Higher comes first; one point counts like one minute of waiting. Default: 0. */
  readonly priority?: number | undefined;
  /** The step that starts the run and waits for it. */
  readonly parent?: ParentStep | undefined;
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

export interface ParentStep {
  /** The key of its run. */
  readonly id: string;
  /** See `nodeKey`. */
  readonly node: string;
  /** The key of the root run. */
  readonly rootId: string;
  /** Depth of the run that is started. */
  readonly depth: number;
  /** Attempt of the run that is started; more than 1 when its parent is at a later attempt. */
  readonly attempt: number;
}

export type StartRun = (source: RunSource, options: StartOptions) => Promise<DagRun>;

/**
 * Stores a run with its spec; a later edit of the file does not change it. Throws, in this order,
 * `dag_name_of_other_workspace`, `dag_not_runnable`, `request_invalid` for the run id, `dag_run_active`,
 * `dag_run_exists`, `labels_invalid`, `params_invalid`, `log_dir_unusable`, `artifacts_dir_unusable`.
 */
export function createRunStarter(dependencies: RunStarterDependencies): StartRun {
  const { runs, onQueued, local: atOnce } = dependencies;
  return async (source, options) => {
    const { dag } = source;
    const { dagRunId, singleton = false } = options;
    // First of all, because every other refusal would disclose something about the runs of that workspace.
    await checkWorkspace(runs, dag, options);
    const unrunnable = unsupportedParts(dag);
    if (unrunnable.length > 0) throw dagNotRunnable(dag.name, unrunnable);
    if (dagRunId !== undefined && !isRunId(dagRunId)) throw runIdInvalid();
    // The transaction checks both again; here they only determine the order of refusals.
    if (singleton && (await runs.hasActive(dag.name))) throw dagRunActive(dag.name);
    if (dagRunId !== undefined && (await runs.find(dag.name, dagRunId))) throw dagRunExists(dagRunId);
    const labels = mergeLabels(dag, options.labels ?? []);
    const declared = await loadParamSchema({ ...source, dagsDir: dependencies.dagsDir });
    const { params, problems } = resolveParams(declared, options.params);
    if (problems.length > 0) throw paramsInvalid(problems);
    const logDir = runLogFolder({ ...source, ...dependencies, params });
    const artifactsFolder = runArtifactsFolder({ ...source, ...dependencies, params });
    const localOwner = options.ownerId === undefined && options.isImmediate === true ? atOnce?.ownerId() : undefined;
    const ownerId = options.ownerId ?? localOwner;
    const folders = { ...dependencies, logDir, artifactsFolder };
    const { row, steps } = newRun(source, { ...options, ownerId, labels }, folders);
    const run = { ...row, resolvedParams: params };
    await runs.insert(run, steps, { singleton, isUnlimited: options.isImmediate === true });
    if (ownerId === undefined) onQueued();
    if (localOwner !== undefined) atOnce?.execute({ run, nodes: steps });
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

type NewRunFolders = Pick<RunStarterDependencies, 'clock' | 'random' | 'logDir' | 'workDir'> & {
  /** Nothing for a DAG without artifacts. */
  readonly artifactsFolder: string | undefined;
};

function newRun(
  { dag, specText, baseTexts, fileName }: RunSource,
  options: StartOptions & { readonly labels: readonly string[] },
  { clock, random, logDir, workDir, artifactsFolder }: NewRunFolders,
): { readonly row: Omit<DagRun, 'resolvedParams'>; readonly steps: readonly DagRunStep[] } {
  const createdAt = clock.now();
  const dagRunId = options.dagRunId ?? newRunId({ clock, randomBytes: (size) => random.bytes(size) });
  const stepNames = dag.steps.map(({ name }) => name);
  const isMerged = (index: number) => (dag.steps[index]?.logOutput ?? dag.logOutput) === 'merged';
  const layout = runLogLayout({ logDir, dagName: dag.name, runId: dagRunId, createdAt, stepNames, isMerged });
  const isOwned = options.ownerId !== undefined;
  const ownFolder = path.join(dagFolderName(dag.name), runFolderName(dagRunId, createdAt));
  return {
    row: {
      id: random.uuid(),
      dagName: dag.name,
      dagRunId,
      fileName,
      status: isOwned ? 'running' : 'queued',
      params: options.params ?? '',
      labels: options.labels,
      workspace: dag.workspace ?? null,
      triggerType: options.triggerType ?? 'manual',
      queuedAt: isOwned ? null : createdAt,
      startedAt: isOwned ? createdAt : null,
      finishedAt: null,
      createdAt,
      scheduleTime: options.scheduleTime ?? null,
      logFile: layout.runLogFile,
      workDir: path.join(workDir, ownFolder),
      error: null,
      ownerId: options.ownerId ?? null,
      stopRequestedAt: null,
      queueName: options.queueName ?? dag.queue ?? null,
      depth: options.parent?.depth ?? 0,
      parentId: options.parent?.id ?? null,
      parentNode: options.parent?.node ?? null,
      rootId: options.parent?.rootId ?? null,
      fencingToken: isOwned ? 1 : 0,
      attempt: options.parent?.attempt ?? 1,
      autoRetryCount: 0,
      autoRetryLimit: dag.retryPolicy?.limit ?? null,
      retryAt: null,
      priority: options.priority ?? 0,
      artifactsDir: artifactsFolder === undefined ? null : path.join(artifactsFolder, ownFolder),
      specText,
      specHash: createHash('sha256').update(specText).digest('hex'),
      baseTexts,
    },
    steps: [
      ...dag.steps.map(({ name }, position) =>
        newStep({ scope: '', position, name, ...findFiles(layout.steps, position) }),
      ),
      ...handlerSteps(dag, layout.folder),
    ],
  };
}

/** Each handler is the only step of its own scope. */
function handlerSteps({ handlers = {}, logOutput }: Dag, folder: string): readonly DagRunStep[] {
  return Object.entries(handlers).map(([kind, step]) => {
    const scope = handlerScope(kind);
    const isMerged = () => (step.logOutput ?? logOutput) === 'merged';
    const [files] = stepLogLayout({ folder: `${folder}/${scope}`, stepNames: [step.name], isMerged });
    return newStep({ scope, position: 0, name: step.name, ...findFiles([files], 0) });
  });
}

function findFiles(files: readonly (StepLogFiles | undefined)[], position: number): StepLogFiles {
  const found = files[position];
  if (found === undefined) throw new AppError('internal', 'A step has no log files.');
  return found;
}
