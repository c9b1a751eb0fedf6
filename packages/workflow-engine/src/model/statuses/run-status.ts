import type { NodeStatus } from './node-status';

const numbers = {
  not_started: 0,
  running: 1,
  failed: 2,
  aborted: 3,
  succeeded: 4,
  queued: 5,
  partially_succeeded: 6,
  waiting: 7,
  rejected: 8,
} as const;

export type RunStatus = keyof typeof numbers;
type RunStatusNumber = (typeof numbers)[RunStatus];

const all = Object.keys(numbers) as readonly RunStatus[];

const terminal: ReadonlySet<RunStatus> = new Set<RunStatus>([
  'failed',
  'aborted',
  'succeeded',
  'partially_succeeded',
  'rejected',
]);
const active: ReadonlySet<RunStatus> = new Set<RunStatus>(['queued', 'running', 'waiting']);
const inQueue: ReadonlySet<RunStatus> = new Set<RunStatus>(['queued', 'running']);

// A run that has ended moves again only by a retry under the same run id.
const retried: readonly RunStatus[] = ['queued', 'running'];
const moves: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  not_started: ['queued', 'running', 'aborted'],
  queued: ['running', 'aborted'],
  running: ['succeeded', 'partially_succeeded', 'failed', 'aborted', 'waiting', 'rejected', 'queued'],
  waiting: ['queued', 'aborted'],
  // A stop cancels the automatic retry of a failed run.
  failed: [...retried, 'aborted'],
  aborted: retried,
  rejected: retried,
  partially_succeeded: retried,
  succeeded: retried,
};

/**
 * Every status of a run, its legal moves, and every question about it. No other code compares a status with a string.
 */
export const runStatus = {
  all,
  is: (value: unknown): value is RunStatus => typeof value === 'string' && Object.hasOwn(numbers, value),
  /** The number of the status on the wire. */
  toNumber: (status: RunStatus): RunStatusNumber => numbers[status],
  fromNumber: (number: number): RunStatus | undefined => all.find((status) => numbers[status] === number),
  /** Whether the run may move to `to` in one step. To stay is no move. */
  canMove: (from: RunStatus, to: RunStatus): boolean => moves[from].includes(to),

  /** Whether the run has ended: only a retry moves it again. */
  isTerminal: (status: RunStatus): boolean => terminal.has(status),
  /** Whether the run has started or will start by itself, and has not ended. */
  isActive: (status: RunStatus): boolean => active.has(status),
  /** Whether the run is an item of its queue: it waits there, or has a slot of it. */
  isInQueue: (status: RunStatus): boolean => inQueue.has(status),
  isQueued: (status: RunStatus): boolean => status === 'queued',
  isRunning: (status: RunStatus): boolean => status === 'running',
  isFailed: (status: RunStatus): boolean => status === 'failed',
  /** Whether the run ended by a stop, or without having started. */
  isAborted: (status: RunStatus): boolean => status === 'aborted',
  /** Whether the run continues once a person has answered. */
  isWaiting: (status: RunStatus): boolean => status === 'waiting',
  /** Whether the run ended because a person rejected a step. */
  isRejected: (status: RunStatus): boolean => status === 'rejected',
  /** Whether the run succeeded, at least in part. */
  isSuccessful: (status: RunStatus): boolean => status === 'succeeded' || status === 'partially_succeeded',
  /** Whether no step failed, even one whose failure the DAG accepts. */
  isWhollySuccessful: (status: RunStatus): boolean => status === 'succeeded',
  /** Whether the run ended before its first step because its preconditions were not met. */
  isDeclined: (status: RunStatus, nodes: readonly NodeStatus[]): boolean =>
    // A run that was stopped has aborted nodes; only unmet preconditions of the run skip all of them.
    status === 'aborted' && nodes.length > 0 && nodes.every((node) => node === 'skipped'),
} as const;
