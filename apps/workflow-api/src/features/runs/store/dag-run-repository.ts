import type {
  DagRun,
  DagRunStep,
  DagRunSummary,
  RunAttempt,
  RunStatus,
  RunStore,
  StepOutputs,
} from '@weir/workflow-engine';
import type { Audited } from '../../../access/audited-operation';
import type { CommitRun } from './commit-run';

/** A position in the list of runs, which is ordered by time, DAG name and key, newest first. */
export type RunPosition = Pick<DagRunSummary, 'createdAt' | 'dagName' | 'id'>;

export interface RunScan {
  /** Only runs of the DAG of exactly this name. */
  readonly dagName?: string | undefined;
  /** Default: every status. */
  readonly statuses?: readonly RunStatus[] | undefined;
  /** Created at this time or later. */
  readonly from?: Date | undefined;
  /** Created before this time. */
  readonly to?: Date | undefined;
  readonly workspaces: { readonly unassigned: boolean; readonly named: 'all' | readonly string[] };
  /** Only runs after this position. */
  readonly after?: RunPosition | undefined;
  readonly limit: number;
}

export interface InsertOptions extends Audited {
  /** Refused while a run of the DAG is active. */
  readonly singleton: boolean;
  /** Whether a queued run needs no slot of its queue. */
  readonly isUnlimited?: boolean;
  /** Of steps of the DAG that are not executed, by position. */
  readonly outputs?: ReadonlyMap<number, StepOutputs> | undefined;
  /** How it began, where that is not just a start. */
  readonly firstAttempt?: Pick<RunAttempt, 'cause' | 'reusedSteps'> | undefined;
}

export interface RunCount {
  readonly dagName: string;
  readonly status: RunStatus;
  /** When the hour begins in which they were created; only when counted by hour. */
  readonly hour?: Date;
  readonly count: number;
}

export interface RunCounting extends Omit<RunScan, 'after' | 'limit'> {
  readonly byHour?: boolean;
  /** Of each status in each workspace at most so many are counted, the newest ones. Default: all. */
  readonly limit?: number;
}

export interface RunCounts {
  readonly counts: readonly RunCount[];
  /** False when the limit was reached, so that there may be more. */
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
  /**
   * Stores a run with its steps in one transaction, and makes it the newest of its DAG unless one created later is
   * stored already. Throws `dag_run_exists`, and with `singleton` also `dag_run_active`.
   */
  insert(run: DagRun, steps: readonly DagRunStep[], options: InsertOptions): Promise<void>;
  hasActive(dagName: string): Promise<boolean>;
  findLatest(dagName: string): Promise<DagRun | undefined>;
  /** The workspace of the newest run of this DAG; nothing when it never ran. */
  findLatestWorkspace(dagName: string): Promise<Pick<DagRunSummary, 'workspace'> | undefined>;
  /** The newest run of each of these DAGs that has one. */
  listLatest(dagNames: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** The status and workspace of the newest run of every DAG that has one, by the names of the DAGs. */
  listLatestStates(): Promise<ReadonlyMap<string, Pick<DagRunSummary, 'status' | 'workspace'>>>;
  /** The newest root runs of each of these DAGs, newest first, in one statement for all. */
  listRecent(dagNames: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly DagRunSummary[]>>;
  /** The oldest run of the DAG of this position that was created after it. */
  findNext(
    position: RunPosition,
    workspaces: RunScan['workspaces'],
  ): Promise<Pick<DagRunSummary, 'dagRunId'> | undefined>;
  /** Those of these runs that are stored, by their keys. */
  listSummaries(ids: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Those of these runs of a DAG that are stored, by the ids that callers see. */
  listByRunIds(dagName: string, dagRunIds: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Newest first. */
  scan(scan: RunScan): Promise<readonly DagRunSummary[]>;
  /** The failed steps of these runs, of every scope, by the keys of their runs; those that failed last come last. */
  listFailedSteps(ids: readonly string[]): Promise<ReadonlyMap<string, readonly DagRunStep[]>>;
  /** The running runs of every depth that these workers execute, ten thousand at most, the oldest first. */
  listOwned(ownerIds: readonly string[]): Promise<readonly DagRunSummary[]>;
  /** The queued, running and waiting runs of every depth that have a step that waits, ten thousand at most. */
  listWithWaitingSteps(): Promise<readonly Pick<DagRunSummary, 'id' | 'rootId'>[]>;
  /** How many root runs there are, by DAG and status, and by hour where that is asked for. */
  countRuns(counting: RunCounting): Promise<RunCounts>;
  /**
   * The newest stored executions of a run in their order: none of one that was executed once, and the last one without
   * its end, which is that of the run.
   */
  listAttempts(id: string, limit: number): Promise<readonly RunAttempt[]>;
  /** Keys of the running runs of this owner that a person asked to stop. */
  listStopRequested(ownerId: string): Promise<readonly string[]>;
  /** Failed runs whose automatic retry is due, the longest due first. */
  listRetryDue(due: RetryDue): Promise<readonly DagRunSummary[]>;

  /**
   * Calls the listener after this process has stored that the run ended or waits, or another one while this one watches.
   * Returns its removal.
   */
  subscribe(id: string, listener: () => void): () => void;
  /**
   * Until the returned function is called, other processes are watched where they can notify this one. The listener is
   * called whenever any run may have ended.
   */
  watch(onEnded: () => void): Promise<() => Promise<void>>;
  /** Deletes a run that has ended, with all runs below it. Returns false when one of them is active, or it is not stored. */
  remove(id: string): Promise<boolean>;
}
