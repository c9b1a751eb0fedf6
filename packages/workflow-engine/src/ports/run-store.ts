import type { JsonValue, ResolvedParam } from '@weir/workflow-spec';
import type { StepOutputs } from '../outputs/step-outputs';
import type { DagRun, DagRunStep, DagRunSummary, Lease, RunEnd, StepPatch, StepScope } from '../run-model/dag-run';

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

/** Where runs and what happens to them are stored. */
export interface RunStore {
  find(dagName: string, dagRunId: string): Promise<DagRun | undefined>;
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
   * Stores what a person said to a step that waits; a run that waits goes back into its queue in the same transaction.
   * One that is queued stays there and takes it up.
   * `too_late`: the step does not wait any more, or the run is at work and must not be; nothing is changed then.
   */
  settleGate(id: string, gate: GateSettlement): Promise<'resumed' | 'stored' | 'too_late'>;
}
