import type {
  RunStatus,
  StepOutputs,
  DagRun,
  DagRunStep,
  DagRunSummary,
  Lease,
  RunEnd,
  RunTrigger,
  StepPatch,
  StepScope,
} from '@weir/workflow-engine';
import type { JsonValue, ResolvedParam } from '@weir/workflow-spec';

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

/** What follows from what a person said to a step that waits. */
export interface GateSettlement {
  /** The step; with `iteration`, only as long as its work was not sent back again. */
  readonly step: Pick<DagRunStep, 'scope' | 'position'> & Partial<Pick<DagRunStep, 'iteration'>>;
  readonly at: Date;
  /** Of that step, and of others when work is done again. */
  readonly patches: readonly StepPatch[];
  /** Scopes whose steps are forgotten, with those below them. */
  readonly deletedScopes: readonly StepScope[];
  /** Whether it may come while other steps of the run are at work: its owner sees it when the run would begin to wait. */
  readonly whileRunning: boolean;
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
  insert(run: DagRun, steps: readonly DagRunStep[], options: InsertOptions): Promise<void>;
  hasActive(dagName: string): Promise<boolean>;
  find(dagName: string, dagRunId: string): Promise<DagRun | undefined>;
  findLatest(dagName: string): Promise<DagRun | undefined>;
  findById(id: string): Promise<DagRun | undefined>;
  /** The steps of one scope, those of the DAG when left out, in the order of the spec. */
  listSteps(id: string, scope?: StepScope): Promise<readonly DagRunStep[]>;
  /** The steps of every scope. */
  listAllSteps(id: string): Promise<readonly DagRunStep[]>;
  /** What the steps of a scope published, by their places; nothing of those that publish nothing. */
  readOutputs(id: string, scope?: StepScope): Promise<ReadonlyMap<number, StepOutputs>>;
  /** What steps that are made of others kept, by their places. */
  readMemos(id: string, scope?: StepScope): Promise<ReadonlyMap<number, JsonValue>>;
  /** The runs that steps of this run started, oldest first; those of one step when its key is given. */
  listChildren(parentId: string, parentNode?: string): Promise<readonly DagRunSummary[]>;
  /** Where the newest run of this DAG belongs; nothing when it never ran. */
  findLatestWorkspace(dagName: string): Promise<Pick<DagRunSummary, 'workspace'> | undefined>;
  /** The newest run of each of these DAGs that has one. */
  listLatest(dagNames: readonly string[]): Promise<ReadonlyMap<string, DagRunSummary>>;
  /** Newest first. */
  scan(scan: RunScan): Promise<readonly DagRunSummary[]>;
  /** Failed runs that are to be tried again by themselves, the longest due first. */
  listRetryDue(due: RetryDue): Promise<readonly DagRunSummary[]>;

  /**
   * Stores changes of steps, and the end of the run, in one transaction. Returns false, and stores nothing, when the
   * run is not running under this owner any more. An end with `waiting` counts the steps of the run that wait: when
   * they are not as many in the store, somebody has answered meanwhile, and the run goes back into its queue instead;
   * so does one that was asked to end, for its next owner to end it. Such a one is not tried again by itself either.
   * The end of a run that a step of a waiting run waits for makes that step unstarted and puts that run into its queue.
   */
  record(id: string, lease: Lease, changes: readonly StepPatch[], end?: RunEnd): Promise<boolean>;
  /**
   * Stores the parameters that the run is carried out with. Returns false, and stores nothing, when the run is not
   * running under this owner any more.
   */
  storeParams(id: string, lease: Lease, params: readonly ResolvedParam[]): Promise<boolean>;
  /**
   * Adds the steps of one more scope; those that are there stay as they are. Returns false, and stores nothing, when
   * the run is not running under this owner any more.
   */
  addSteps(id: string, lease: Lease, steps: readonly DagRunStep[]): Promise<boolean>;
  /**
   * Puts a run that waits or has ended back into its queue, in one transaction with what changes about its steps.
   * Returns false, and changes nothing, when it is not in one of these states any more.
   */
  requeue(id: string, requeue: Requeue): Promise<boolean>;
  /**
   * Stores what a person said to a step that waits; a run that waits goes back into its queue in the same transaction.
   * One that is queued stays there and takes it up.
   * `too_late`: the step does not wait any more, or the run is at work and must not be; nothing is changed then.
   */
  settleGate(id: string, gate: GateSettlement): Promise<'resumed' | 'stored' | 'too_late'>;

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
