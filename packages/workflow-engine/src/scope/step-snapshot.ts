import { findAction, type Step } from '@weir/workflow-spec';
import { nodeStatus, type NodeStatus } from '../statuses/node-status';

/** How a step of a run stands that is taken up again, as it was recorded. */
export interface StepSnapshot {
  readonly status: NodeStatus;
  /** Attempts after the first that were begun. */
  readonly retries: number;
  /** Turns of a repeated step that have ended. */
  readonly iterations: number;
  /** Whether its dependents run although it did not end well. */
  readonly continues: boolean;
}

/** Whether a step whose attempt was cut off by the death of its owner is carried out again. */
export function mayRestart(step: Step, { status, retries }: Pick<StepSnapshot, 'status' | 'retries'>): boolean {
  // Only its next attempt was waited for: nothing was cut off.
  if (nodeStatus.isRetrying(status)) return true;
  return step.idempotent === true || isRestartable(step) || hasRetriesLeft(step, retries);
}

/** Whether the last attempt counts as one that failed. */
export function countsAsAttempt(step: Step, snapshot: StepSnapshot): boolean {
  return nodeStatus.isRetrying(snapshot.status) || (isInterrupted(snapshot) && !isRestartable(step));
}

function hasRetriesLeft({ retryPolicy }: Step, retries: number): boolean {
  if (retryPolicy === undefined) return false;
  // One that is a reference is known only once the attempt begins.
  return typeof retryPolicy.limit !== 'number' || retries < retryPolicy.limit;
}

function isRestartable({ run }: Step): boolean {
  if (run.kind !== 'action') return run.kind === 'foreach';
  return findAction(run.action)?.isRestartable(run.with) === true;
}

/** Whether the step was at work when its owner died. */
export function isInterrupted({ status }: StepSnapshot): boolean {
  return nodeStatus.isBusy(status);
}

/** Whether anything of the run had happened before. */
export function hasStarted({ status, retries, iterations }: StepSnapshot): boolean {
  return (
    nodeStatus.isTerminal(status) ||
    nodeStatus.isBusy(status) ||
    nodeStatus.isWaiting(status) ||
    retries > 0 ||
    iterations > 0
  );
}
