import type { Dag } from '@weir/workflow-spec';
import type { DagRun } from '../run-model/dag-run';
import type { RunStatus } from '../statuses/run-status';

/** A DAG to run, with the texts that are stored with its runs. */
export interface ChildSource {
  readonly dag: Dag;
  readonly specText: string;
  readonly baseTexts: readonly string[];
  readonly fileName: string;
}

export interface ChildStart {
  readonly params: string;
  readonly dagRunId: string;
  readonly triggerType: 'subdag';
  /** The queue to wait in; that of the DAG when missing. */
  readonly queueName?: string;
  /** The worker that executes the run at once; without it the run is queued. */
  readonly ownerId?: string;
  /** The step that waits for the run. */
  readonly parent?: ParentStep;
}

export interface ParentStep {
  /** The key of its run. */
  readonly id: string;
  /** See `nodeKey`. */
  readonly node: string;
  /** The key of the root run. */
  readonly rootId: string;
  /** Of the run that is started. */
  readonly depth: number;
  /** Of the run that is started; more than 1 for one of a later attempt of its parent. */
  readonly attempt: number;
}

/** Starts, finds and stops the runs of other DAGs. */
export interface ChildRuns {
  /** A DAG by its name in the DAGs folder, or by its path relative to `folder`. Throws when it cannot be run. */
  findDag(text: string, folder: string): Promise<ChildSource>;
  /** Stores the run. Throws `dag_run_exists` when there is one with this id. */
  start(source: ChildSource, start: ChildStart): Promise<DagRun>;
  /** Executes a run that was stored as owned by this worker. Never rejects. */
  execute(run: DagRun): Promise<void>;
  /**
   * Retries a run that has not succeeded under this owner. Throws `dag_run_active` and `nothing_to_retry`. `ended` never
   * rejects.
   */
  retry(run: DagRun, ownerId: string): Promise<{ readonly ended: Promise<void> }>;
  /**
   * Resolves with a run, executed by this or another process, once `isReached` accepts its status, which must be that
   * of a run at rest: ended or waiting. Rejects with the reason of the signal, or with `not_found`.
   */
  waitFor(id: string, isReached: (status: RunStatus) => boolean, signal: AbortSignal): Promise<DagRun>;
  /** Requests the end of a run. */
  stop(id: string): Promise<void>;
}
