import { AppError } from '@weir/foundation';
import { nodeKey, type DagRunStep, type PushBack, type StepDecisions, type StepPatch } from '../run-model/dag-run';
import { pendingStep } from '../run-model/new-step';
import { runStatus } from '../statuses/run-status';
import { nodeStatus } from '../statuses/node-status';
import type {
  ChildEnded,
  RunState,
  StepApproved,
  StepPushedBack,
  StepRejected,
  TaskCompleted,
  WaitingStep,
} from './run-event';
import { createTransition, patchesOnly, queuedAt, type RunTransition, type StepChanges } from './run-transition';

/** Only the newest push-backs are stored with a step: its row is read as a whole. */
const maxPushBacks = 100;

export function approveStep(run: RunState, { step, at, by, inputs }: StepApproved): RunTransition | undefined {
  const decisions = { ...copyPushBacks(step), approvedAt: at.toISOString(), approvedBy: by, inputs };
  return decide(run, { step, at, patch: { status: 'succeeded', finishedAt: at, decisions } });
}

export function completeTask(run: RunState, { step, at, by, outputs }: TaskCompleted): RunTransition | undefined {
  const decisions = { approvedAt: at.toISOString(), approvedBy: by };
  return decide(run, { step, at, patch: { status: 'succeeded', finishedAt: at, decisions, outputs } });
}

export function rejectStep(run: RunState, { step, at, by, reason }: StepRejected): RunTransition | undefined {
  const why = reason === undefined ? {} : { reason };
  const decisions = { ...copyPushBacks(step), rejectedAt: at.toISOString(), rejectedBy: by, ...why };
  const error = reason === undefined ? 'rejected' : `rejected: ${reason}`;
  return decide(run, { step, at, patch: { status: 'rejected', finishedAt: at, decisions, error } });
}

/** Also nothing while the run is running: steps that execute again must not be executing. */
export function pushBackStep(run: RunState, event: StepPushedBack): RunTransition | undefined {
  const { step, at, by, inputs, comment, rewound } = event;
  if (runStatus.isRunning(run.status) || !isWaiting(run, step)) return undefined;
  const pushBack = { by, at: at.toISOString(), inputs, ...(comment === undefined ? {} : { comment }) };
  const patches = rewound.map((row) => rewindStep(row, pushBack));
  return resume(run, at, { patches, deletedScopes: rewound.map(nodeKey) });
}

/** The step starts again and finds the child run that has ended. */
export function wakeStep(run: RunState, { step, at }: ChildEnded): RunTransition | undefined {
  return decide(run, { step, at, patch: { status: 'not_started' } });
}

interface Decision {
  readonly step: Pick<DagRunStep, 'scope' | 'position'> & Partial<Pick<DagRunStep, 'iteration'>>;
  readonly at: Date;
  readonly patch: Omit<StepPatch, 'position' | 'scope'>;
}

/** Changes nothing once the step no longer waits. */
function decide(run: RunState, { step, at, patch }: Decision): RunTransition | undefined {
  if (!isWaiting(run, step)) return undefined;
  const { status } = patch;
  if (status !== undefined && !nodeStatus.canMove('waiting', status)) {
    throw new AppError('internal', `A step cannot go from waiting to ${status}.`);
  }
  const { scope, position } = step;
  return resume(run, at, patchesOnly([{ scope, position, ...patch }]));
}

/** A run that waits is queued again; one that is queued or running already sees the change there. */
function resume(run: RunState, at: Date, steps: StepChanges): RunTransition | undefined {
  if (!runStatus.isActive(run.status)) return undefined;
  if (!runStatus.isWaiting(run.status)) return createTransition(run, { steps });
  return createTransition(run, {
    steps,
    patch: queuedAt(at),
    effects: [{ kind: 'enqueue', at }, { kind: 'notify_queue' }],
  });
}

function isWaiting({ waitingSteps }: RunState, { scope, position, iteration }: Decision['step']): boolean {
  const isSame = (step: WaitingStep): boolean =>
    step.scope === scope && step.position === position && step.iteration === (iteration ?? step.iteration);
  return waitingSteps.some(isSame);
}

function copyPushBacks({ decisions }: DagRunStep): Pick<StepDecisions, 'pushBacks'> {
  return decisions?.pushBacks === undefined ? {} : { pushBacks: decisions.pushBacks };
}

function rewindStep(row: DagRunStep, pushBack: Omit<PushBack, 'iteration'>): StepPatch {
  const { scope, position, decisions } = row;
  const iteration = row.iteration + 1;
  const pushBacks = [...(decisions?.pushBacks ?? []), { iteration, ...pushBack }].slice(-maxPushBacks);
  return { scope, position, ...pendingStep, memo: null, iteration, decisions: { pushBacks } };
}
