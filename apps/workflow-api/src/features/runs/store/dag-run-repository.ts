import type {
  DagRun,
  DagRunStep,
  DagRunSummary,
  RunAttempt,
  RunStatus,
  RunStore,
  StepOutputs,
} from '@weir/workflow-engine/model';
import type { Audited } from '../../../access/audited-operation';
import type { AcceptedFile, AcceptedFiles } from './accepted-files';
import type { CommitRun } from './commit-run';

/** A position in the list of runs, which is ordered by time, DAG name and key, newest first. */
export type RunPosition = Pick<DagRunSummary, 'createdAt' | 'dagName' | 'id'>;

export interface RunScan {
  /** Only runs of the DAG of exactly this name. */
  readonly dagName?: string | undefined;
  /** Default: every status. */
  readonly statuses?: readonly RunStatus[] | undefined;
  /** Only runs that were created at this time or later. */
  readonly from?: Date | undefined;
  /** Only runs that were created before this time. */
  readonly to?: Date | undefined;
  readonly workspaces: { readonly unassigned: boolean; readonly named: 'all' | readonly string[] };
  /** Only runs after this position. */
  readonly after?: RunPosition | undefined;
  readonly limit: number;
}

export interface InsertOptions extends Audited {
  /** Whether the run is refused while another run of the DAG is active. */
  readonly singleton: boolean;
  /** Whether a queued run needs no slot of its queue. */
  readonly isUnlimited?: boolean;
  /** The outputs of steps of the DAG that are not executed, by position. */
  readonly outputs?: ReadonlyMap<number, StepOutputs> | undefined;
  /** Files that start the run, and no other one. Default: none. */
  readonly accepted?: readonly Omit<AcceptedFile, 'dagName' | 'dagRunId'>[] | undefined;
  /** The cause of the first attempt, where it is not an ordinary start. */
  readonly firstAttempt?: Pick<RunAttempt, 'cause' | 'reusedSteps'> | undefined;
}

export interface RunCount {
  readonly dagName: string;
  readonly status: RunStatus;
  /** The start of the hour in which they were created; only when runs are counted by hour. */
  readonly hour?: Date;
  readonly count: number;
}

export interface RunCounting extends Omit<RunScan, 'after' | 'limit'> {
  readonly byHour?: boolean;
  /** Limits how many runs of each status in each workspace are counted; the newest count. Default: all. */
  readonly limit?: number;
}

export interface RunCounts {
  readonly counts: readonly RunCount[];
  /** Whether all runs were counted; false when the limit was reached. */
  readonly isComplete: boolean;
}

export interface RetryDue {
  readonly at: Date;
  /** Files whose runs are excluded. */
  readonly exceptFiles: readonly string[];
  readonly limit: number;
}

export interface DagRunRepository extends Omit<RunStore, 'commit'> {
  readonly commit: CommitRun;
  readonly acceptedFiles: AcceptedFiles;
  /**
   * Stores a run with its steps in one transaction, and makes it the newest of its DAG unless a later one is already
   * stored. Throws `dag_run_exists`, with `singleton` also `dag_run_active`, and `file_accepted`.
   */
  insert(run: DagRun, steps: readonly DagRunStep[], options: InsertOptions): Promise<void>;
  hasActive(dagName: string): Promise<boolean>;
  findLatest(dagName: string): Promise<DagRun | undefined>;
  /** Returns the workspace of the newest run of this DAG, or `undefined` when it never ran. */
  findLatestWorkspace(dagName: string): Promise<Pick<DagRunSummary, 'workspace'> | undefined>;
  /** Returns the newest run of each of these DAGs that has one. */
  listLatest(dagNames: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Returns the status and workspace of the newest run of every DAG that has one, by the names of the DAGs. */
  listLatestStates(): Promise<ReadonlyMap<string, Pick<DagRunSummary, 'status' | 'workspace'>>>;
  /** Returns the newest root runs of each of these DAGs, newest first, in one statement for all. */
  listRecent(dagNames: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly DagRunSummary[]>>;
  /** Returns the oldest run of the position's DAG that was created after it. */
  findNext(
    position: RunPosition,
    workspaces: RunScan['workspaces'],
  ): Promise<Pick<DagRunSummary, 'dagRunId'> | undefined>;
  /** Returns the stored runs among these, by their keys. */
  listSummaries(ids: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Returns the stored runs of a DAG among these, by the ids that callers see. */
  listByRunIds(dagName: string, dagRunIds: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Lists the newest first. */
  scan(scan: RunScan): Promise<readonly DagRunSummary[]>;
  /** Lists the failed steps of these runs, of every scope, by the keys of their runs; the latest failures come last. */
  listFailedSteps(ids: readonly string[]): Promise<ReadonlyMap<string, readonly DagRunStep[]>>;
  /**
   * Lists the names of the steps of these runs and of their handlers that are running, retrying or waiting, in their
   * order, by the keys of their runs.
   */
  listActiveSteps(ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Lists the running runs of every depth that these workers execute, oldest first, at most ten thousand. */
  listOwned(ownerIds: readonly string[]): Promise<readonly DagRunSummary[]>;
  /** Lists the queued, running and waiting runs of every depth that have a waiting step, at most ten thousand. */
  listWithWaitingSteps(): Promise<readonly Pick<DagRunSummary, 'id' | 'rootId'>[]>;
  /** Counts root runs by DAG and status, and by hour where that is requested. */
  countRuns(counting: RunCounting): Promise<RunCounts>;
  /**
   * Lists the newest stored executions of a run in their order. The list is empty for a run that was executed once;
   * the last execution has no end, because it is the end of the run.
   */
  listAttempts(id: string, limit: number): Promise<readonly RunAttempt[]>;
  /** Lists the keys of the running runs of this owner that a person requested to stop. */
  listStopRequested(ownerId: string): Promise<readonly string[]>;
  /** Lists failed runs whose automatic retry is due, the longest due first. */
  listRetryDue(due: RetryDue): Promise<readonly DagRunSummary[]>;

  /**
   * Calls the listener after this process has stored that the run ended or waits, or, during a watch, after another
   * process has. Returns the function that removes the listener.
   */
  subscribe(id: string, listener: () => void): () => void;
  /**
   * Until the returned function is called, other processes can notify this one, where the database supports that. The
   * listener is called whenever any run may have ended.
   */
  watch(onEnded: () => void): Promise<() => Promise<void>>;
  /**
   * Deletes a run that has ended, with all its descendants. Returns false when one of them is active, or the run is
   * not stored.
   */
  remove(id: string): Promise<boolean>;
}
