import { nodeStatus } from '../statuses/node-status';
import type { RunStatus } from '../statuses/run-status';
import type { DagRunStep, DagRunSummary } from './dag-run';

/**
 * Why a run began to execute: it was started, started as an edited copy of another one, retried by a person or by the
 * policy of its DAG, given back by a worker that stopped, or taken over from one that was lost.
 */
export const attemptCauses = ['start', 'edit_retry', 'retry', 'auto_retry', 'restart', 'take_over'] as const;
export type AttemptCause = (typeof attemptCauses)[number];

/** The end of an execution; `interrupted` when another worker continues the same attempt. */
export interface AttemptEnd extends Pick<DagRunSummary, 'startedAt' | 'finishedAt' | 'error' | 'ownerId'> {
  readonly status: RunStatus | 'interrupted';
  readonly exitCode: number | null;
}

/** The beginning of an execution. */
export interface AttemptBegin {
  /** The attempt of the run. */
  readonly attempt: number;
  readonly cause: AttemptCause;
  /** The number of steps of the DAG that were not executed again. */
  readonly reusedSteps: number;
  /** `null` when it is that of the run. */
  readonly startedAt: Date | null;
}

/** An execution of a run, as it is stored. */
export interface RunAttempt extends AttemptBegin {
  /** Counts from 1. */
  readonly number: number;
  /** Missing in the newest one, whose end is that of the run. */
  readonly ended?: Omit<AttemptEnd, 'startedAt'>;
}

/** The exit code of the step that failed last. */
export function exitCodeOf(steps: readonly Pick<DagRunStep, 'status' | 'finishedAt' | 'exitCode'>[]): number | null {
  const failed = steps.filter(({ status, exitCode }) => nodeStatus.isFailed(status) && exitCode !== null);
  const last = failed.toSorted((a, b) => (a.finishedAt?.getTime() ?? 0) - (b.finishedAt?.getTime() ?? 0)).at(-1);
  return last?.exitCode ?? null;
}
