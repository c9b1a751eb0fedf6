import type { ResolvedParam } from '@weir/workflow-spec';
import type { StepOutputs } from '../run-model/step-outputs';
import type { NodeEnd } from '../statuses/node-status';
import type { RunStatus } from '../statuses/run-status';
import type { Bypass, DagRunStep, DagRunSummary, Lease, RunEnd, StepPatch } from '../run-model/dag-run';

/** The fields of a run that decide what an event of its owner changes. */
export type OwnedRun = Pick<DagRunSummary, 'status' | 'ownerId' | 'fencingToken' | 'stopRequestedAt'>;

/** A step that waits for a person or for a child run. */
export type WaitingStep = Pick<DagRunStep, 'scope' | 'position' | 'iteration'>;

/** A transition depends on these fields of the run. */
export interface RunState
  extends
    OwnedRun,
    Pick<
      DagRunSummary,
      'queuedAt' | 'createdAt' | 'startedAt' | 'finishedAt' | 'error' | 'attempt' | 'autoRetryCount' | 'retryAt'
    > {
  readonly waitingSteps: readonly WaitingStep[];
}

/** A worker claims a queued run, or one whose owner let its lease expire. */
export interface RunClaimed {
  readonly kind: 'claimed';
  readonly ownerId: string;
  readonly at: Date;
}

/** The owner gives the run back without ending it. */
export interface RunReleased {
  readonly kind: 'released';
  readonly lease: Lease;
}

export interface StepsChanged {
  readonly kind: 'steps_changed';
  readonly lease: Lease;
  readonly patches: readonly StepPatch[];
}

/** Steps of one more scope are added; those that are stored already are not changed. */
export interface StepsAdded {
  readonly kind: 'steps_added';
  readonly lease: Lease;
  readonly steps: readonly DagRunStep[];
}

export interface ParamsResolved {
  readonly kind: 'params_resolved';
  readonly lease: Lease;
  readonly params: readonly ResolvedParam[];
  /** The variables that environment files set. They stay unchanged when this is missing. */
  readonly fileVariables?: readonly string[] | undefined;
}

export interface RunEnded extends Pick<RunEnd, 'status' | 'finishedAt' | 'error' | 'retryAt'> {
  readonly kind: 'ended';
  readonly lease: Lease;
  /** The changes of the steps that ended last. */
  readonly patches: readonly StepPatch[];
}

/** The owner has nothing to do until a person answers or a child run ends. */
export interface RunSuspended {
  readonly kind: 'suspended';
  readonly lease: Lease;
  readonly patches: readonly StepPatch[];
  /** The number of waiting steps that the owner knows. Another number means that one was answered meanwhile. */
  readonly waitingSteps?: number | undefined;
}

export interface StopRequested {
  readonly kind: 'stop_requested';
  readonly at: Date;
  /** Error of the steps that this aborts. */
  readonly error: string;
}

/** A queued run is to leave its queue. */
export interface DequeueRequested {
  readonly kind: 'dequeue_requested';
  readonly at: Date;
  /** Error of the steps that this aborts. */
  readonly error: string;
}

/** A new attempt of a run that has ended. */
export interface RunRetried {
  readonly kind: 'retried';
  readonly at: Date;
  /** The attempt that ended. */
  readonly attempt: number;
  /** `auto`: by the retry policy of the DAG, and only while that retry is due. */
  readonly by: 'manual' | 'auto';
  /** The steps and handlers to execute again, as they are stored. */
  readonly steps: readonly DagRunStep[];
  /** The number of steps of the DAG that are not executed again, because they passed. */
  readonly reusedSteps: number;
  /** The worker that executes the run at once. The run is queued when this is missing. */
  readonly ownerId?: string | undefined;
  /** The step of the DAG whose preconditions are not checked. */
  readonly bypass?: (Bypass & { readonly step: string }) | undefined;
}

interface StepDecision {
  /** The step as the person saw it. */
  readonly step: DagRunStep;
  readonly at: Date;
  readonly by: string;
}

export interface StepApproved extends StepDecision {
  readonly kind: 'approved';
  readonly inputs: Readonly<Record<string, string>>;
}

export interface StepRejected extends StepDecision {
  readonly kind: 'rejected';
  readonly reason?: string | undefined;
}

export interface StepPushedBack extends StepDecision {
  readonly kind: 'pushed_back';
  readonly inputs: Readonly<Record<string, string>>;
  readonly comment?: string | undefined;
  /** The steps to execute again, the one that was pushed back among them. */
  readonly rewound: readonly DagRunStep[];
}

export interface TaskCompleted extends StepDecision {
  readonly kind: 'task_completed';
  readonly outputs: StepOutputs;
}

/** A person corrects how a step of a run that has ended did. */
export interface StepCorrected {
  readonly kind: 'step_corrected';
  /** The attempt that the person saw. */
  readonly attempt: number;
  /** The fencing token when the ends of the steps were read: every correction raises it. */
  readonly fencingToken: number;
  /** The step as the person saw it. */
  readonly step: DagRunStep;
  readonly status: NodeEnd;
  /** The status of the run that follows from all its steps. */
  readonly runStatus: RunStatus;
  readonly at: Date;
}

/** The child run that a step waits for has ended. */
export interface ChildEnded {
  readonly kind: 'child_ended';
  readonly step: Pick<DagRunStep, 'scope' | 'position'>;
  readonly at: Date;
}

/** Only the owner of a run reports these events; they are refused once the lease is not the current one. */
export type OwnerEvent = StepsChanged | StepsAdded | ParamsResolved | RunEnded | RunReleased;

export type RunEvent =
  | OwnerEvent
  | RunClaimed
  | RunSuspended
  | StopRequested
  | DequeueRequested
  | RunRetried
  | StepApproved
  | StepRejected
  | StepPushedBack
  | TaskCompleted
  | StepCorrected
  | ChildEnded;
