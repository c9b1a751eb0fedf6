import { AppError } from '@weir/foundation';
import type { DagRun, DagRunStep, StepPatch, StepScope } from '../run-model/dag-run';
import type { AttemptBegin, AttemptEnd } from '../run-model/run-attempt';
import { runStatus } from '../statuses/run-status';
import type { NodeStatus } from '../statuses/node-status';
import type { OwnedRun } from './run-event';

/** Fields of the run to store. */
export type RunPatch = Partial<
  Pick<
    DagRun,
    | 'status'
    | 'ownerId'
    | 'fencingToken'
    | 'queuedAt'
    | 'startedAt'
    | 'finishedAt'
    | 'error'
    | 'stopRequestedAt'
    | 'attempt'
    | 'autoRetryCount'
    | 'retryAt'
    | 'resolvedParams'
    | 'fileVariables'
  >
>;

/** The fields that the transition depends on: it is stored only where they are still the same. */
export type RunExpectation = Partial<OwnedRun>;

export interface StepChanges {
  readonly patches: readonly StepPatch[];
  /** Scopes whose steps are deleted, with those below them. */
  readonly deletedScopes: readonly StepScope[];
  /** Added unless they are stored already. */
  readonly added?: readonly DagRunStep[];
  /** Stored for every step that may move to this status. */
  readonly every?: { readonly status: NodeStatus; readonly finishedAt: Date; readonly error: string };
}

export type RunEffect =
  /** The run enters its queue in the same transaction. */
  | { readonly kind: 'enqueue'; readonly at: Date }
  /** The end of the last execution and the beginning of the next one are recorded in the same transaction. */
  | { readonly kind: 'record_attempt'; readonly ended: AttemptEnd; readonly next: AttemptBegin }
  /** In the same transaction: the run leaves its queue, and its slot is free. */
  | { readonly kind: 'leave_queue' }
  /** The step that waits for this run continues in the same transaction. */
  | { readonly kind: 'wake_parent'; readonly at: Date | null }
  /** After the commit: a worker may find something to claim. */
  | { readonly kind: 'notify_queue' }
  /** After the commit: who waits for the run reads it. */
  | { readonly kind: 'notify_waiters' };

/** The changes that an event makes to a run. */
export interface RunTransition {
  readonly expected: RunExpectation;
  readonly patch: RunPatch;
  readonly steps: StepChanges;
  readonly effects: readonly RunEffect[];
}

/** Throws for a move that the table of run statuses does not allow. */
export function createTransition(run: OwnedRun, changes: Partial<RunTransition>): RunTransition {
  const { expected = {}, patch = {}, steps = noSteps, effects = [] } = changes;
  const { status = run.status } = patch;
  if (status !== run.status && !runStatus.canMove(run.status, status)) {
    throw new AppError('internal', `A run cannot go from ${run.status} to ${status}.`);
  }
  return { expected: { status: run.status, ...expected }, patch, steps, effects };
}

export const noSteps: StepChanges = { patches: [], deletedScopes: [] };

export function patchesOnly(patches: readonly StepPatch[]): StepChanges {
  return { patches, deletedScopes: [] };
}

/** A run without an owner that waits in its queue from then on. */
export function queuedAt(at: Date) {
  return {
    status: 'queued',
    ownerId: null,
    queuedAt: at,
    finishedAt: null,
    error: null,
    retryAt: null,
    stopRequestedAt: null,
  } as const satisfies RunPatch;
}
