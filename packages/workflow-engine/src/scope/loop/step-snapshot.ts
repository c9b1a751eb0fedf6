import type { Step } from '@weir/workflow-spec';
import { findAction } from '@weir/workflow-spec/actions';
import { nodeStatus, type NodeStatus } from '../../model/statuses/node-status';

/** The stored state of a step from which an interrupted run resumes. */
export interface StepSnapshot {
  readonly status: NodeStatus;
  /** Attempts after the first that have started. */
  readonly retries: number;
  /** Iterations of a repeated step that have ended. */
  readonly iterations: number;
  /** Whether its dependents execute although it failed. */
  readonly continues: boolean;
}

/** Whether a step whose attempt was interrupted by the loss of its owner executes again. */
export function mayRestart(step: Step, { status, retries }: Pick<StepSnapshot, 'status' | 'retries'>): boolean {
  // Only its next attempt was waited for: nothing was cut off.
  if (nodeStatus.isRetrying(status)) return true;
  return restartsFreely(step) || hasRetriesLeft(step, retries);
}

/** Whether a step whose attempt was interrupted executes again without using one of its retries. */
export function restartsFreely(step: Step): boolean {
  return step.idempotent === true || isRestartable(step);
}

export const ownerLost = 'owner lost';

/** Whether the last attempt counts as one that failed. */
export function countsAsAttempt(step: Step, snapshot: StepSnapshot): boolean {
  return nodeStatus.isRetrying(snapshot.status) || (isInterrupted(snapshot) && !isRestartable(step));
}

function hasRetriesLeft({ retryPolicy }: Step, retries: number): boolean {
  if (retryPolicy === undefined) return false;
  // A limit that is a reference is known, and checked, only when the attempt starts.
  return typeof retryPolicy.limit !== 'number' || retries < retryPolicy.limit;
}

function isRestartable({ run, targets }: Step): boolean {
  // It writes beside its targets, which have their old content until it has succeeded.
  if (targets !== undefined) return true;
  if (run.kind !== 'action') return run.kind === 'foreach' || run.kind === 'agent';
  return findAction(run.action)?.isRestartable(run.with) === true;
}

/** Whether the step was executing when its owner was lost. */
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
