import type { DagRunStep, DagRunSummary, WorkerLabels } from '@weir/workflow-engine/model';
import type { QueueEntry, QueuePause } from '../queue/store';

/** The stored facts about a run and the processes that execute runs, as far as they explain why the run is not running. */
export interface ExplanationFacts {
  readonly at: Date;
  readonly run: DagRunSummary;
  /** The entry of the run in its queue; missing while it waits for a person, and after its end. */
  readonly entry: QueueEntry | undefined;
  /** Only for a run that waits in a queue. */
  readonly queue?: QueueFacts | undefined;
  readonly workers: WorkerFacts;
  /** Only for a run that is to be retried. */
  readonly retry?: RetryFacts | undefined;
  /** The steps of the DAG, in the order of the spec. */
  readonly steps: readonly StepFacts[];
  /** The limit of active steps; 0 means no limit. */
  readonly maxActiveSteps: number;
}

export interface QueueFacts {
  readonly slots: number;
  readonly slotsInUse: number;
  /** Runs that are claimed before this one. */
  readonly before: number;
  readonly holders: readonly DagRunSummary[];
  readonly pause?: QueuePause | undefined;
}

export interface WorkerFacts {
  /** The workers that are alive and keep their runs. */
  readonly alive: readonly string[];
  /** The living workers that claim runs from queues. */
  readonly claiming: readonly ClaimingWorker[];
}

export interface ClaimingWorker {
  readonly id: string;
  readonly host: string;
  readonly labels: WorkerLabels;
}

export interface RetryFacts {
  readonly isSuspended: boolean;
  readonly isSchedulerAlive: boolean;
}

export interface StepFacts extends Pick<DagRunStep, 'name' | 'status' | 'error' | 'finishedAt' | 'retryCount'> {
  readonly depends: readonly string[];
  /** The reason why a waiting step waits. */
  readonly pause?: Pause | undefined;
}

export type Pause =
  | { readonly kind: 'approval' | 'human_task'; readonly prompt: string | undefined }
  | { readonly kind: 'child_run'; readonly runs: readonly DagRunSummary[]; readonly others: number };
