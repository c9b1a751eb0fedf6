import type { RunStatus, StepOutputs } from '@weir/workflow-engine';
import type { ResolvedParam } from '@weir/workflow-spec';
import type { DagRun, DagRunStep, DagRunSummary, RunEnd, StepPatch } from './dag-run';

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

/** What a recovery found of a run whose runner is dead. */
export interface OrphanEnd {
  readonly at: Date;
  /** Of the run and of its steps under way. */
  readonly error: string;
  /** Of the steps that had not started. */
  readonly notStartedError: string;
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

export interface DagRunRepository {
  /**
   * Stores a run with its steps, and makes it the newest of its DAG unless one created
   * later is stored already, in one transaction. Throws `dag_run_exists`, and
   * with `singleton` also `dag_run_active`.
   */
  insert(run: DagRun, steps: readonly DagRunStep[], options: { readonly singleton: boolean }): Promise<void>;
  hasActive(dagName: string): Promise<boolean>;
  find(dagName: string, dagRunId: string): Promise<DagRun | undefined>;
  findLatest(dagName: string): Promise<DagRun | undefined>;
  findById(id: string): Promise<DagRun | undefined>;
  /** In the order of the spec. */
  stepsOf(id: string): Promise<readonly DagRunStep[]>;
  /** What the steps of a run published, by their places; nothing of those that publish nothing. */
  outputsOf(id: string): Promise<ReadonlyMap<number, StepOutputs>>;
  /** The newest run of each of these DAGs that has one. */
  latestOf(dagNames: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Newest first. */
  scan(scan: RunScan): Promise<readonly DagRunSummary[]>;

  /** Keys of queued runs, oldest first. */
  listQueued(limit: number): Promise<readonly string[]>;
  /** Whether the run was queued and is now running and owned. */
  claim(id: string, ownerId: string, at: Date): Promise<boolean>;
  /**
   * Stores changes of steps, and the end of the run, in one transaction. Returns false, and stores nothing, when the
   * run is not running under this owner any more.
   */
  record(id: string, ownerId: string, changes: readonly StepPatch[], end?: RunEnd): Promise<boolean>;
  /**
   * Stores the parameters that the run is carried out with. Returns false, and stores nothing, when the run is not
   * running under this owner any more.
   */
  storeParams(id: string, ownerId: string, params: readonly ResolvedParam[]): Promise<boolean>;
  /** Runs that are running under none of these owners. */
  listRunningNotOwnedBy(ownerIds: readonly string[]): Promise<readonly DagRunSummary[]>;
  /** Whether the run was running under `from` and is now under `to`, so that nobody else records anything of it. */
  adopt(id: string, from: string | null, to: string): Promise<boolean>;
  /**
   * Ends a run that was left behind, in one transaction: steps under way and the run fail, steps that had not started
   * are aborted; all are aborted when the run was asked to end. Returns false, and changes nothing, when it is not running under this owner any more.
   */
  settleOrphan(id: string, ownerId: string, end: OrphanEnd): Promise<boolean>;

  /** Whether the run was queued and is now aborted with its steps, in one transaction. */
  dequeue(id: string, end: AbortedRun): Promise<boolean>;
  /**
   * Asks for the end of a run: one that is queued or waiting is aborted at once, with its steps; of a running one the
   * request is stored, for whoever owns it or takes it over. Asking again changes nothing.
   */
  requestStop(id: string, end: AbortedRun): Promise<StopOutcome>;
  /** Keys of the running runs of this owner that were asked to end. */
  listStopRequested(ownerId: string): Promise<readonly string[]>;
  /** Forgets a run that has ended, with its steps. Returns false, and forgets nothing, when it is active or not there. */
  remove(id: string): Promise<boolean>;
}
