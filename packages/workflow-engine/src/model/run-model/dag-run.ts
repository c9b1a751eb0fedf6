import type { JsonValue, ResolvedParam } from '@weir/workflow-spec';
import type { BuildDecision } from './build-decision';
import type { ModelUse } from './model-use';
import type { StepOutputs } from './step-outputs';
import type { RunStatus } from '../statuses/run-status';
import type { NodeStatus } from '../statuses/node-status';
import type { ProfileLayer } from './profile-layer';
import type { RunActor } from './run-actor';

/** Limits the depth below the root run: enough for any real nesting, and an end to a DAG that calls itself. */
export const maxRunDepth = 32;

export const triggerTypes = [
  'unknown',
  'scheduler',
  'manual',
  'webhook',
  'subdag',
  'retry',
  'catchup',
  'file',
  'event',
] as const;
export type RunTrigger = (typeof triggerTypes)[number];

/** A run without the large fields, which only its own page and its worker need. */
export interface DagRunSummary {
  /** The row's key. */
  readonly id: string;
  readonly dagName: string;
  /** The id that callers see; unique within a DAG name. */
  readonly dagRunId: string;
  /** Name of the file in the DAGs folder without extension, or the absolute path of a file elsewhere. */
  readonly fileName: string | null;
  readonly status: RunStatus;
  /** The parameters as passed. */
  readonly params: string;
  readonly labels: readonly string[];
  readonly workspace: string | null;
  readonly triggerType: RunTrigger;
  /** `null` for a run of a version that did not record it. */
  readonly startedBy: RunActor | null;
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly createdAt: Date;
  readonly scheduleTime: Date | null;
  readonly logFile: string;
  readonly workDir: string;
  readonly error: string | null;
  /** The worker that executes it. */
  readonly ownerId: string | null;
  /** The time at which a person first asked to stop it. */
  readonly stopRequestedAt: Date | null;
  /** The queue that the request names; `null` for that of the DAG. */
  readonly queueName: string | null;
  /** 0 for a root run, 1 for a child run of it, and so on. */
  readonly depth: number;
  /** The run whose step started this one. */
  readonly parentId: string | null;
  /** The step of the parent that started the run; see `nodeKey`. */
  readonly parentNode: string | null;
  /** The key of the root run; `null` for a root run itself. */
  readonly rootId: string | null;
  /** Raised by every claim. */
  readonly fencingToken: number;
  /** Counts from 1; raised by every retry of the whole run. */
  readonly attempt: number;
  /** Automatic retries so far. */
  readonly autoRetryCount: number;
  /** Automatic retries allowed; `null` when its DAG has no retry policy. */
  readonly autoRetryLimit: number | null;
  /** The time at which the automatic retry of the failed run is due. */
  readonly retryAt: Date | null;
  /** Higher comes first. */
  readonly priority: number;
  /** The folder of its artifacts, if its DAG has artifacts. */
  readonly artifactsDir: string | null;
  /** The labels that its worker must have; see `selectorText`. */
  readonly workerSelector: string;
  /** The name of the profile that it was started with. */
  readonly profile: string | null;
}

/** The right to store what happens in a run. It holds until the next claim. */
export interface Lease {
  readonly ownerId: string;
  readonly token: number;
}

export interface DagRun extends DagRunSummary {
  readonly resolvedParams: readonly ResolvedParam[];
  /** Names of the variables that environment files set when the run last began. */
  readonly fileVariables: readonly string[];
  /** Whether the steps of a build execute although their files are up to date. */
  readonly rebuild: boolean;
  /** The whole file when the run was created, local DAGs included. */
  readonly specText: string;
  /** SHA-256 of `specText` as lower-case hex. */
  readonly specHash: string;
  /** The base configurations when the run was created, the more general first. */
  readonly baseTexts: readonly string[];
  /** What it gets from defaults and from its profile, as it was when the run was created; the general first. */
  readonly profileLayers: readonly ProfileLayer[];
}

/** A run with the steps of all its scopes. */
export interface StoredRun {
  readonly run: DagRun;
  readonly nodes: readonly DagRunStep[];
}

/** The scope of a step: empty for the steps of the DAG, otherwise a handler or one iteration of a loop. */
export type StepScope = string;

/** Identifies a step within its run; child runs refer to the step that started them by it. */
export function nodeKey({ scope, position }: Pick<DagRunStep, 'scope' | 'position'>): string {
  return scope === '' ? String(position) : `${scope}/${position}`;
}

/** The inverse of `nodeKey`. */
export function parseNodeKey(key: string): Pick<DagRunStep, 'scope' | 'position'> {
  const cut = key.lastIndexOf('/');
  return { scope: key.slice(0, Math.max(cut, 0)), position: Number(key.slice(cut + 1)) };
}

/** The decisions of people about a step that waited for them. */
export interface StepDecisions {
  readonly approvedAt?: string;
  readonly approvedBy?: string;
  readonly inputs?: Readonly<Record<string, JsonValue>>;
  readonly rejectedAt?: string;
  readonly rejectedBy?: string;
  readonly reason?: string;
  readonly pushBacks?: readonly PushBack[];
  /** Its preconditions are not checked in this attempt of the run. */
  readonly bypass?: Bypass;
}

/** The decision of a person to execute a step although its preconditions may not hold. */
export interface Bypass {
  readonly by: string;
  readonly reason: string;
}

export interface PushBack {
  /** Counts from 1. */
  readonly iteration: number;
  readonly by?: string;
  readonly at: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** What the person wrote about it. */
  readonly comment?: string;
}

export interface DagRunStep {
  readonly scope: StepScope;
  /** Index among the steps of its scope. */
  readonly position: number;
  readonly name: string;
  readonly status: NodeStatus;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly exitCode: number | null;
  readonly error: string | null;
  readonly stdoutFile: string;
  readonly stderrFile: string;
  readonly retryCount: number;
  readonly doneCount: number;
  readonly pid: number | null;
  readonly processStartedAt: string | null;
  /** Counts the resets of the step for new work, such as by a push-back. */
  readonly iteration: number;
  readonly decisions: StepDecisions | null;
  /** The way in which the step of a build came to its files; `null` for other steps. */
  readonly build: BuildDecision | null;
  /** The models that all attempts of the step have asked; `null` where they have asked none. */
  readonly modelUse: readonly ModelUse[] | null;
}

/** Changes of a step; missing fields stay. */
export type StepPatch = Pick<DagRunStep, 'position'> &
  Partial<
    Pick<
      DagRunStep,
      | 'scope'
      | 'iteration'
      | 'decisions'
      | 'status'
      | 'startedAt'
      | 'finishedAt'
      | 'exitCode'
      | 'error'
      | 'pid'
      | 'processStartedAt'
      | 'retryCount'
      | 'doneCount'
      | 'build'
      | 'modelUse'
    >
  > & {
    /** Stored with the step and read separately, because they may be megabytes. */
    readonly outputs?: StepOutputs | null;
    /** A composite step stores this to resume from; it is read separately, too. */
    readonly memo?: JsonValue | null;
  };

export interface RunEnd {
  readonly status: RunStatus;
  /** `null` when it only waits for a person. */
  readonly finishedAt: Date | null;
  readonly error: string | null;
  /** The time at which the automatic retry is due. */
  readonly retryAt?: Date;
  /** For a run that waits: how many of its steps wait, as its owner knows. */
  readonly waiting?: number;
}

/** The step that starts a run and waits for it. */
export interface ParentStep {
  /** The key of its run. */
  readonly id: string;
  /** See `nodeKey`. */
  readonly node: string;
  /** The key of the root run. */
  readonly rootId: string;
  /** The depth of the run that is started. */
  readonly depth: number;
  /** The attempt of the run that is started; more than 1 for one of a later attempt of its parent. */
  readonly attempt: number;
}
