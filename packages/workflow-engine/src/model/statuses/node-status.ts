const numbers = {
  not_started: 0,
  running: 1,
  failed: 2,
  aborted: 3,
  succeeded: 4,
  skipped: 5,
  partially_succeeded: 6,
  waiting: 7,
  rejected: 8,
  retrying: 9,
} as const;

/** A node is a step inside a run. */
export type NodeStatus = keyof typeof numbers;
type NodeStatusNumber = (typeof numbers)[NodeStatus];

/** The execution of a step ends with one of these; `waiting` continues once a person has answered. */
export type StepEnd = 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted' | 'waiting';

/** A node ends with one of these statuses. */
export type NodeEnd = Exclude<StepEnd, 'waiting'> | 'skipped' | 'rejected';

const all = Object.keys(numbers) as readonly NodeStatus[];

const terminal: ReadonlySet<NodeStatus> = new Set<NodeStatus>([
  'failed',
  'aborted',
  'succeeded',
  'skipped',
  'partially_succeeded',
  'rejected',
]);
const active: ReadonlySet<NodeStatus> = new Set<NodeStatus>(['running', 'waiting', 'retrying']);

// A retry of the run, or a push-back, starts an ended node again.
const retried: readonly NodeStatus[] = ['not_started'];
const moves: Readonly<Record<NodeStatus, readonly NodeStatus[]>> = {
  not_started: ['running', 'waiting', 'skipped', 'failed', 'aborted'],
  running: ['succeeded', 'partially_succeeded', 'failed', 'aborted', 'waiting', 'retrying'],
  retrying: ['running', 'failed', 'aborted'],
  waiting: ['succeeded', 'rejected', 'aborted', 'not_started'],
  failed: retried,
  aborted: retried,
  succeeded: retried,
  skipped: retried,
  partially_succeeded: retried,
  rejected: retried,
};

const isSuccessful = (status: NodeStatus): boolean => status === 'succeeded' || status === 'partially_succeeded';
const isSkipped = (status: NodeStatus): boolean => status === 'skipped';
const isFailed = (status: NodeStatus): boolean => status === 'failed';

/**
 * Every status of a node, its legal moves, and every question about it. No other code compares a status with a string.
 */
export const nodeStatus = {
  all,
  is: (value: unknown): value is NodeStatus => typeof value === 'string' && Object.hasOwn(numbers, value),
  /** The number of the status on the wire. */
  toNumber: (status: NodeStatus): NodeStatusNumber => numbers[status],
  fromNumber: (number: number): NodeStatus | undefined => all.find((status) => numbers[status] === number),
  /** Whether the node may move to `to` in one step. To stay is no move. */
  canMove: (from: NodeStatus, to: NodeStatus): boolean => moves[from].includes(to),

  isTerminal: (status: NodeStatus): status is NodeEnd => terminal.has(status),
  /** Whether the node has started and not ended: running, waiting or retrying. */
  isActive: (status: NodeStatus): boolean => active.has(status),
  isUnstarted: (status: NodeStatus): boolean => status === 'not_started',
  isRunning: (status: NodeStatus): boolean => status === 'running',
  /** Whether the node counts against the limit of active steps: running or retrying. */
  isBusy: (status: NodeStatus): boolean => status === 'running' || status === 'retrying',
  /** Whether the node waits for its next attempt. */
  isRetrying: (status: NodeStatus): boolean => status === 'retrying',
  /** Whether the node continues once a person has answered. */
  isWaiting: (status: NodeStatus): status is 'waiting' => status === 'waiting',
  /** Whether a person has rejected the node. */
  isRejected: (status: NodeStatus): boolean => status === 'rejected',
  isFailed,
  isAborted: (status: NodeStatus): boolean => status === 'aborted',
  /** Whether the node was passed over: it had nothing to do, or another route was chosen. */
  isSkipped,
  /** Whether the node succeeded, at least in part. A skipped node did not execute, so it is not successful. */
  isSuccessful,
  isPartial: (status: NodeStatus): boolean => status === 'partially_succeeded',
  /** Whether the node is no failure of its run: successful or skipped. */
  isPassed: (status: NodeStatus): boolean => isSuccessful(status) || isSkipped(status),
} as const;

/** Whether an attempt with this end may be followed by another one. */
export function isRetriedEnd(end: StepEnd): boolean {
  return end === 'failed';
}

/** What the end of a node means for the nodes that depend on it. */
export type DependencyGate = 'open' | 'abort' | 'skip';

/** When the dependents of a node execute although it did not succeed. */
export interface Continues {
  readonly onFailure: boolean;
  readonly onSkip: boolean;
}

export function dependencyGate(end: NodeEnd, { onFailure, onSkip }: Continues): DependencyGate {
  if (isSuccessful(end)) return 'open';
  if (isSkipped(end)) return onSkip ? 'open' : 'skip';
  return onFailure && isFailed(end) ? 'open' : 'abort';
}
