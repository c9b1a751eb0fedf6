import type { JsonValue, ResolvedParam } from '@weir/workflow-spec';
import type { StepOutputs } from '../run-model/step-outputs';
import type { RunEvent } from '../state-machine/run-event';
import type { RunTransition } from '../state-machine/run-transition';
import type { DagRun, DagRunStep, DagRunSummary, Lease, RunEnd, StepPatch, StepScope } from '../run-model/dag-run';

/** Where runs and what happens to them are stored. */
export interface RunStore {
  find(dagName: string, dagRunId: string): Promise<DagRun | undefined>;
  findById(id: string): Promise<DagRun | undefined>;
  /** The steps of one scope, those of the DAG when left out, in the order of the spec. */
  listSteps(id: string, scope?: StepScope): Promise<readonly DagRunStep[]>;
  /** The steps of every scope. */
  listAllSteps(id: string): Promise<readonly DagRunStep[]>;
  /** The outputs of the steps of a scope, by position; nothing for steps that publish none. */
  readOutputs(id: string, scope?: StepScope): Promise<ReadonlyMap<number, StepOutputs>>;
  /** What composite steps stored to resume from, by position. */
  readMemos(id: string, scope?: StepScope): Promise<ReadonlyMap<number, JsonValue>>;
  /** The child runs of a run, oldest first; those of one step when its key is given. */
  listChildren(parentId: string, parentNode?: string): Promise<readonly DagRunSummary[]>;
  /**
   * Applies an event of the state machine: patch, steps and effects in one transaction. Returns what was
   * stored; nothing, and nothing is stored, when the event came too late.
   */
  apply(id: string, event: RunEvent): Promise<RunTransition | undefined>;
  /**
   * Stores changes of steps, and the end of the run or of its work until a person answers. Returns false, and stores
   * nothing, when the lease is no longer the current one.
   */
  record(id: string, lease: Lease, changes: readonly StepPatch[], end?: RunEnd): Promise<boolean>;
  /**
   * Stores the parameters that the run is executed with, and the names of the variables that environment files set;
   * returns the same as `record`.
   */
  storeParams(
    id: string,
    lease: Lease,
    params: readonly ResolvedParam[],
    fileVariables?: readonly string[],
  ): Promise<boolean>;
  /** Adds the steps of one more scope; those that are stored already stay. Returns the same as `record`. */
  addSteps(id: string, lease: Lease, steps: readonly DagRunStep[]): Promise<boolean>;
}
