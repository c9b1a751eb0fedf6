import type {
  RunStore,
  RunStatus,
  DagRun,
  DagRunStep,
  DagRunSummary,
  RunTrigger,
  StepPatch,
  StepScope,
} from '@weir/workflow-engine';

/** A place in the list of runs, which is ordered by time, DAG name and key, newest first. */
export type RunPosition = Pick<DagRunSummary, 'createdAt' | 'dagName' | 'id'>;

export interface RunScan {
  /** Only runs of the DAG of exactly this name. */
  readonly dagName?: string | undefined;
  /** Only these; every one when left out. */
  readonly statuses?: readonly RunStatus[] | undefined;
  /** Created at this time or later. */
  readonly from?: Date | undefined;
  /** Created before this time. */
  readonly to?: Date | undefined;
  readonly workspaces: { readonly unassigned: boolean; readonly named: 'all' | readonly string[] };
  /** Only runs that come after this place. */
  readonly after?: RunPosition | undefined;
  readonly limit: number;
}

export interface InsertOptions {
  /** Refused while a run of the DAG is active. */
  readonly singleton: boolean;
  /** Whether a queued run takes its place at once, however many are taken. */
  readonly isUnlimited?: boolean;
}

export interface RetryDue {
  readonly at: Date;
  /** Files whose runs are left out. */
  readonly exceptFiles: readonly string[];
  readonly limit: number;
}

/** How a run goes on that nobody is carrying out. */
export interface Requeue {
  /** The states that it may be in. */
  readonly from: readonly RunStatus[];
  readonly at: Date;
  /** The attempt that the patches are about: refused once another one has begun. */
  readonly attempt?: number;
  readonly patches: readonly StepPatch[];
  /** Scopes whose steps are forgotten, with those below them. */
  readonly deletedScopes: readonly StepScope[];
  /** Whether a new attempt of the whole run begins: `auto` when nobody asked for it, and only while it is due. */
  readonly retry?: 'manual' | 'auto';
  /** Who carries it out at once; without, whoever claims it. */
  readonly ownerId?: string | undefined;
  readonly triggerType?: RunTrigger;
}

/** How a run ends that nobody is carrying out. */
export interface AbortedRun {
  readonly at: Date;
  /** Of its steps that had not ended. */
  readonly error: string;
}

/**
 * What a request to stop did: it ended a run that nobody carried out, it waits for the owner of a running one, or it
 * came too late.
 */
export type StopOutcome = 'aborted' | 'requested' | 'ended';

export interface DagRunRepository extends RunStore {
  /**
   * Stores a run with its steps, and makes it the newest of its DAG unless one created
   * later is stored already, in one transaction. Throws `dag_run_exists`, and
   * with `singleton` also `dag_run_active`.
   */
  insert(run: DagRun, steps: readonly DagRunStep[], options: InsertOptions): Promise<void>;
  hasActive(dagName: string): Promise<boolean>;
  findLatest(dagName: string): Promise<DagRun | undefined>;
  /** Where the newest run of this DAG belongs; nothing when it never ran. */
  findLatestWorkspace(dagName: string): Promise<Pick<DagRunSummary, 'workspace'> | undefined>;
  /** The newest run of each of these DAGs that has one. */
  listLatest(dagNames: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Newest first. */
  scan(scan: RunScan): Promise<readonly DagRunSummary[]>;
  /** Failed runs that are to be tried again by themselves, the longest due first. */
  listRetryDue(due: RetryDue): Promise<readonly DagRunSummary[]>;

  /**
   * Puts a run that waits or has ended back into its queue, in one transaction with what changes about its steps.
   * Returns false, and changes nothing, when it is not in one of these states any more.
   */
  requeue(id: string, requeue: Requeue): Promise<boolean>;

  /** Whether the run was queued and is now aborted with its steps, in one transaction. */
  dequeue(id: string, end: AbortedRun): Promise<boolean>;
  /**
   * Asks for the end of a run: one that is queued or waiting is aborted at once, with its steps; of a running one the
   * request is stored, for whoever owns it or takes it over. A failed one that would be tried again by itself is not,
   * and counts as aborted. Asking again changes nothing.
   */
  requestStop(id: string, end: AbortedRun): Promise<StopOutcome>;
  /** Calls the listener after this process has stored that the run ended or waits. Returns its removal. */
  subscribe(id: string, listener: () => void): () => void;
  /** Keys of the running runs of this owner that were asked to end. */
  listStopRequested(ownerId: string): Promise<readonly string[]>;
  /** Forgets a run that has ended, with its steps. Returns false, and forgets nothing, when it is active or not there. */
  remove(id: string): Promise<boolean>;
}
