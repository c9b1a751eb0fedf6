import type { NodeStatus, RunStatus, StepOutputs } from '@weir/workflow-engine';
import type { ResolvedParam } from '@weir/workflow-spec';
import type { BaseText } from '../../dag-parser';

export const triggerTypes = ['unknown', 'scheduler', 'manual', 'webhook', 'subdag', 'retry', 'catchup'] as const;
export type RunTrigger = (typeof triggerTypes)[number];

/** A run without what only its own page and its runner need. */
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
  readonly queuedAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly createdAt: Date;
  readonly scheduleTime: Date | null;
  readonly logFile: string;
  readonly workDir: string;
  readonly error: string | null;
  /** The runner that carries it out. */
  readonly ownerId: string | null;
  /** Since when its owner is asked to end it. */
  readonly stopRequestedAt: Date | null;
  /** The queue that was asked for, in place of the DAG's own. */
  readonly queueName: string | null;
}

export interface DagRun extends DagRunSummary {
  readonly resolvedParams: readonly ResolvedParam[];
  /** The whole file as it was when the run was made, local DAGs included. */
  readonly specText: string;
  /** SHA-256 of `specText` as lower-case hex. */
  readonly specHash: string;
  /** The base configurations as they were when the run was made, the more general first. */
  readonly baseTexts: readonly string[];
}

/** The summary of a run, without anything else that `run` may hold. */
export function summaryOf(run: DagRunSummary): DagRunSummary {
  return {
    id: run.id,
    dagName: run.dagName,
    dagRunId: run.dagRunId,
    fileName: run.fileName,
    status: run.status,
    params: run.params,
    labels: run.labels,
    workspace: run.workspace,
    triggerType: run.triggerType,
    queuedAt: run.queuedAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    createdAt: run.createdAt,
    scheduleTime: run.scheduleTime,
    logFile: run.logFile,
    workDir: run.workDir,
    error: run.error,
    ownerId: run.ownerId,
    stopRequestedAt: run.stopRequestedAt,
    queueName: run.queueName,
  };
}

export interface DagRunStep {
  /** Place in the spec, from 0. */
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
}

/** What changed about a step; fields left out stay. */
export type StepPatch = Pick<DagRunStep, 'position'> &
  Partial<
    Pick<
      DagRunStep,
      | 'status'
      | 'startedAt'
      | 'finishedAt'
      | 'exitCode'
      | 'error'
      | 'pid'
      | 'processStartedAt'
      | 'retryCount'
      | 'doneCount'
    >
  > & {
    /** Stored with the step, and read apart from it: they may be megabytes. */
    readonly outputs?: StepOutputs;
  };

export interface RunEnd {
  readonly status: RunStatus;
  readonly finishedAt: Date;
  readonly error: string | null;
}

/** What the text of a run is read with. */
export function basesOf({ baseTexts }: Pick<DagRun, 'baseTexts'>): readonly BaseText[] {
  return baseTexts.map((text) => ({ label: 'of the run', text }));
}
