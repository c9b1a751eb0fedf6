import { createHash } from 'node:crypto';
import {
  folderNameOfDag,
  isRunId,
  newRunId,
  runFolderName,
  runLogLayout,
  unrunnableParts,
} from '@weir/workflow-engine';
import { resolveParams, type Dag } from '@weir/workflow-spec';
import path from 'node:path';
import type { Clock } from '../../adapters/clock';
import type { RandomSource } from '../../adapters/random-source';
import type { DagRun, DagRunStep, RunTrigger } from './dag-run';
import {
  dagNameOfOtherWorkspace,
  dagRunActive,
  dagNotRunnable,
  dagRunExists,
  paramsInvalid,
  runIdInvalid,
} from './dag-run-errors';
import type { DagRunRepository } from './dag-run-repository';
import { loadParamSchema } from './load-param-schema';
import { mergeLabels } from './run-labels';

export interface RunStarterDependencies {
  readonly runs: DagRunRepository;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logDir: string;
  /** Of the files that `fileName` names without a path. */
  readonly dagsDir: string;
  readonly workDir: string;
  /** Told after a queued run was stored. */
  readonly onQueued: () => void;
}

/** A file that was read and found good. */
export interface RunSource {
  readonly dag: Dag;
  readonly specText: string;
  /** The base configurations that it was read with. */
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
  /** The slot that the run is for. */
  readonly scheduleTime?: Date | undefined;
  /** In place of the DAG's own queue. */
  readonly queueName?: string | undefined;
  /** The runner that carries it out at once. Without it the run is queued for whichever runner is free. */
  readonly ownerId?: string | undefined;
  /**
   * Whether the caller may start runs in this workspace, `undefined` for none: a name that another workspace uses is
   * its own. Left out, the caller may do so everywhere.
   */
  readonly mayStartIn?: ((workspace: string | undefined) => boolean) | undefined;
}

export type StartRun = (source: RunSource, options: StartOptions) => Promise<DagRun>;

/**
 * Stores a run with the text it was made from; a later edit of the file does not change it. Throws, in this order,
 * `dag_name_of_other_workspace`, `dag_not_runnable`, `request_invalid` for the run id, `dag_run_active`, `dag_run_exists`,
 * `labels_invalid`, `params_invalid`.
 */
export function createRunStarter(dependencies: RunStarterDependencies): StartRun {
  const { runs, onQueued } = dependencies;
  return async (source, options) => {
    const { dag } = source;
    const { dagRunId, singleton = false } = options;
    // First of all, because whatever else is said tells of the runs of that workspace.
    await checkWorkspace(runs, dag, options);
    const unrunnable = unrunnableParts(dag);
    if (unrunnable.length > 0) throw dagNotRunnable(dag.name, unrunnable);
    if (dagRunId !== undefined && !isRunId(dagRunId)) throw runIdInvalid();
    // The transaction checks both again; here they only keep the order in which a request is refused.
    if (singleton && (await runs.hasActive(dag.name))) throw dagRunActive(dag.name);
    if (dagRunId !== undefined && (await runs.find(dag.name, dagRunId))) throw dagRunExists(dagRunId);
    const labels = mergeLabels(dag, options.labels ?? []);
    const declared = await loadParamSchema({ ...source, dagsDir: dependencies.dagsDir });
    const { params, problems } = resolveParams(declared, options.params);
    if (problems.length > 0) throw paramsInvalid(problems);
    const run = newRun(source, { ...options, labels }, dependencies);
    await runs.insert({ ...run.row, resolvedParams: params }, run.steps, { singleton });
    if (options.ownerId === undefined) onQueued();
    return { ...run.row, resolvedParams: params };
  };
}

async function checkWorkspace(runs: DagRunRepository, dag: Dag, { mayStartIn }: StartOptions): Promise<void> {
  if (mayStartIn === undefined) return;
  const latest = (await runs.latestOf([dag.name])).get(dag.name);
  if (latest === undefined) return;
  const workspace = latest.workspace ?? undefined;
  if (workspace !== dag.workspace && !mayStartIn(workspace)) throw dagNameOfOtherWorkspace(dag.name);
}

function newRun(
  { dag, specText, baseTexts, fileName }: RunSource,
  options: StartOptions & { readonly labels: readonly string[] },
  { clock, random, logDir, workDir }: RunStarterDependencies,
): { readonly row: Omit<DagRun, 'resolvedParams'>; readonly steps: readonly DagRunStep[] } {
  const createdAt = clock.now();
  const dagRunId = options.dagRunId ?? newRunId({ clock, randomBytes: (size) => random.bytes(size) });
  const stepNames = dag.steps.map(({ name }) => name);
  const layout = runLogLayout({ logDir, dagName: dag.name, runId: dagRunId, createdAt, stepNames });
  const isOwned = options.ownerId !== undefined;
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
      workDir: path.join(workDir, folderNameOfDag(dag.name), runFolderName(dagRunId, createdAt)),
      error: null,
      ownerId: options.ownerId ?? null,
      stopRequestedAt: null,
      queueName: options.queueName ?? null,
      specText,
      specHash: createHash('sha256').update(specText).digest('hex'),
      baseTexts,
    },
    steps: layout.steps.map((files, position) => newStep(position, stepNames[position] ?? '', files)),
  };
}

function newStep(position: number, name: string, files: Pick<DagRunStep, 'stdoutFile' | 'stderrFile'>): DagRunStep {
  return {
    position,
    name,
    status: 'not_started',
    startedAt: null,
    finishedAt: null,
    exitCode: null,
    error: null,
    ...files,
    retryCount: 0,
    doneCount: 0,
    pid: null,
    processStartedAt: null,
  };
}
