import type { LoadedPackage } from '../../host/packages/package-store';
import type { RunSource } from '../../model/run-model/create-run';
import type { RunActor } from '../../model/run-model/run-actor';
import type { DagRun, ParentStep } from '../../model/run-model/dag-run';
import type { RunStatus } from '../../model/statuses/run-status';

export interface ChildStart {
  readonly params: string;
  readonly dagRunId: string;
  readonly triggerType: 'subdag';
  readonly startedBy: RunActor;
  /** The queue to wait in; that of the DAG when missing. */
  readonly queueName?: string;
  /** The worker that executes the run at once; without it the run is queued. */
  readonly ownerId?: string;
  /** The step that waits for the run. */
  readonly parent?: ParentStep;
  /** Replaces the selector of the DAG; see `selectorText`. */
  readonly workerSelector?: string;
  /** The profile of the run that starts it, with its values. */
  readonly inherited: Pick<DagRun, 'profile' | 'profileLayers'>;
}

/** Starts, finds and stops the runs of other DAGs. */
export interface ChildRuns {
  /** A DAG by its name in the DAGs folder, or by its path relative to `folder`. Throws when it cannot be run. */
  findDag(text: string, folder: string): Promise<RunSource>;
  /** The DAG of a packaged action, whose steps execute in its folder. Throws when it cannot be run. */
  readPackage(found: LoadedPackage): Promise<RunSource>;
  /** Whether this worker executes a run with this selector itself; otherwise it is queued for whoever may and can. */
  isPlacedHere(selector: string, call: { readonly isOneOfMany: boolean }): boolean;
  /** Stores the run. Throws `dag_run_exists` when there is one with this id. */
  start(source: RunSource, start: ChildStart): Promise<DagRun>;
  /** Executes a run that was stored as owned by this worker. Never rejects. */
  execute(run: DagRun): Promise<void>;
  /**
   * Retries a run that has not succeeded under this owner. Throws `dag_run_active` and `nothing_to_retry`. `ended` never
   * rejects.
   */
  retry(run: DagRun, ownerId: string): Promise<{ readonly ended: Promise<void> }>;
  /**
   * Resolves with a run, executed by this or another process, once `isReached` accepts its status, which must be that
   * of a run that has ended or waits. Rejects with the reason of the signal, or with `not_found`.
   */
  waitFor(id: string, isReached: (status: RunStatus) => boolean, signal: AbortSignal): Promise<DagRun>;
  /** Requests the end of a run. */
  stop(id: string): Promise<void>;
}
