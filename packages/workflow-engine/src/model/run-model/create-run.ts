import { createHash } from 'node:crypto';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import { hasArtifacts, type Dag, type ResolvedParam } from '@weir/workflow-spec';
import { runFolder, runLogLayout, stepLogLayout, type StepLogFiles } from './log-layout';
import type { DagRun, DagRunStep, ParentStep, StoredRun } from './dag-run';
import { handlerScope, newStep } from './new-step';
import type { ProfileLayer } from './profile-layer';
import type { RunActor } from './run-actor';
import { createRunId, type RunIdSource } from './run-id';

/** A valid DAG, with the specs from which it was parsed. */
export interface RunSource {
  readonly dag: Dag;
  readonly specText: string;
  /** The base configurations that it was read with. */
  readonly baseTexts: readonly string[];
  /** See `DagRun.fileName`. */
  readonly fileName: string;
}

export interface NewRun {
  /** The parameters as passed; empty when missing. */
  readonly params?: string | undefined;
  readonly resolvedParams: readonly ResolvedParam[];
  readonly labels: readonly string[];
  /** Default: `manual`. */
  readonly triggerType?: DagRun['triggerType'] | undefined;
  /** Default: not known. */
  readonly startedBy?: RunActor | undefined;
  /** The occurrence that the run is for. */
  readonly scheduleTime?: Date | undefined;
  /** Replaces the DAG's own queue. */
  readonly queueName?: string | undefined;
  /** Default: 0. */
  readonly priority?: number | undefined;
  /** A new one when missing. */
  readonly dagRunId?: string | undefined;
  /** The worker that executes the run at once; without it the run is queued. */
  readonly ownerId?: string | undefined;
  /** Whether the steps of a build execute although their files are up to date. Default: no. */
  readonly rebuild?: boolean | undefined;
  /** The step that starts the run and waits for it. */
  readonly parent?: ParentStep | undefined;
  /** The labels that its worker must have; see `selectorText`. */
  readonly workerSelector: string;
  /** The name of its profile. Default: none. */
  readonly profile?: string | null | undefined;
  /** See `DagRun.profileLayers`. Default: none. */
  readonly profileLayers?: readonly ProfileLayer[] | undefined;
}

export interface RunFolders {
  /** The folders of logs of all runs are below it. */
  readonly logDir: string;
  /** The working folders of all runs are below it, and their artifacts where `artifactsDir` names no other folder. */
  readonly runsDir: string;
  /** The artifacts of all runs of a DAG that stores them elsewhere are below it. */
  readonly artifactsDir: string | undefined;
}

export interface RunIdentitySource extends RunIdSource {
  /** The key of the run. */
  readonly id: string;
}

/** A run of a DAG as it is stored first, with all its steps. */
export function createRun(
  source: RunSource,
  options: NewRun,
  { folders, identity }: { readonly folders: RunFolders; readonly identity: RunIdentitySource },
): StoredRun {
  const { dag, specText, baseTexts, fileName } = source;
  const { createdAt } = identity;
  const dagRunId = options.dagRunId ?? createRunId(identity);
  const ownFolder = runFolder({ dagName: dag.name, dagRunId, createdAt });
  const layout = layoutLogs(dag, { logDir: folders.logDir, dagRunId, createdAt });
  const run: DagRun = {
    id: identity.id,
    dagName: dag.name,
    dagRunId,
    fileName,
    ...toClaimFields(options.ownerId, createdAt),
    ...toParentFields(options.parent),
    params: options.params ?? '',
    resolvedParams: options.resolvedParams,
    fileVariables: [],
    rebuild: options.rebuild ?? false,
    labels: options.labels,
    workspace: dag.workspace ?? null,
    triggerType: options.triggerType ?? 'manual',
    startedBy: options.startedBy ?? null,
    finishedAt: null,
    createdAt,
    scheduleTime: options.scheduleTime ?? null,
    logFile: layout.runLogFile,
    workDir: path.join(folders.runsDir, ownFolder, 'work'),
    error: null,
    stopRequestedAt: null,
    queueName: options.queueName ?? dag.queue ?? null,
    autoRetryCount: 0,
    autoRetryLimit: dag.retryPolicy?.limit ?? null,
    retryAt: null,
    priority: options.priority ?? 0,
    artifactsDir: hasArtifacts(dag) ? placeArtifacts(folders, ownFolder) : null,
    workerSelector: options.workerSelector,
    profile: options.profile ?? null,
    profileLayers: options.profileLayers ?? [],
    specText,
    specHash: createHash('sha256').update(specText).digest('hex'),
    baseTexts,
  };
  const steps = dag.steps.map(({ name }, position) =>
    newStep({ scope: '', position, name, ...getFiles(layout.steps, position) }),
  );
  return { run, nodes: [...steps, ...createHandlerSteps(dag, layout.folder)] };
}

/** Beside the working folder when the DAG names no other place, so that steps can move files from one to the other. */
function placeArtifacts({ runsDir, artifactsDir }: RunFolders, ownFolder: string): string {
  return artifactsDir === undefined ? path.join(runsDir, ownFolder, 'artifacts') : path.join(artifactsDir, ownFolder);
}

function toClaimFields(ownerId: string | undefined, createdAt: Date) {
  return ownerId === undefined
    ? ({ status: 'queued', queuedAt: createdAt, startedAt: null, ownerId: null, fencingToken: 0 } as const)
    : ({ status: 'running', queuedAt: null, startedAt: createdAt, ownerId, fencingToken: 1 } as const);
}

function toParentFields(parent: ParentStep | undefined) {
  return {
    depth: parent?.depth ?? 0,
    parentId: parent?.id ?? null,
    parentNode: parent?.node ?? null,
    rootId: parent?.rootId ?? null,
    attempt: parent?.attempt ?? 1,
  };
}

function layoutLogs(
  dag: Dag,
  { logDir, dagRunId, createdAt }: { readonly logDir: string; readonly dagRunId: string; readonly createdAt: Date },
) {
  const stepNames = dag.steps.map(({ name }) => name);
  const isMerged = (index: number) => (dag.steps[index]?.logOutput ?? dag.logOutput) === 'merged';
  return runLogLayout({ logDir, dagName: dag.name, runId: dagRunId, createdAt, stepNames, isMerged });
}

/** Each handler is the one step of a scope of its own. */
function createHandlerSteps({ handlers = {}, logOutput }: Dag, folder: string): readonly DagRunStep[] {
  return Object.entries(handlers).map(([kind, step]) => {
    const scope = handlerScope(kind);
    const isMerged = () => (step.logOutput ?? logOutput) === 'merged';
    const files = stepLogLayout({ folder: `${folder}/${scope}`, stepNames: [step.name], isMerged });
    return newStep({ scope, position: 0, name: step.name, ...getFiles(files, 0) });
  });
}

function getFiles(files: readonly StepLogFiles[], position: number): StepLogFiles {
  const found = files[position];
  if (found === undefined) throw new AppError('internal', 'A step has no log files.');
  return found;
}
