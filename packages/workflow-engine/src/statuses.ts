/**
 * Every status of a run and of a node (a step of a run), the predicates about them and the tables of allowed moves. No
 * other file of the repository compares a status with a text.
 */

const runNumbers = {
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

const nodeNumbers = {
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

export type RunStatus = keyof typeof runNumbers;
export type NodeStatus = keyof typeof nodeNumbers;
export type RunStatusNumber = (typeof runNumbers)[RunStatus];
export type NodeStatusNumber = (typeof nodeNumbers)[NodeStatus];

/** How the execution of a step can end; `waiting` continues once a person has answered. */
export type StepEnd = 'succeeded' | 'partially_succeeded' | 'failed' | 'aborted' | 'waiting';

/** How a node can end. */
export type NodeEnd = Exclude<StepEnd, 'waiting'> | 'skipped' | 'rejected';

/** What the end of a node means for the nodes that depend on it. */
export type DependencyGate = 'open' | 'abort' | 'skip';

export const runStatuses = Object.keys(runNumbers) as readonly RunStatus[];
export const nodeStatuses = Object.keys(nodeNumbers) as readonly NodeStatus[];

const terminalRun: ReadonlySet<RunStatus> = new Set<RunStatus>([
  'failed',
  'aborted',
  'succeeded',
  'partially_succeeded',
  'rejected',
]);
const activeRun: ReadonlySet<RunStatus> = new Set<RunStatus>(['queued', 'running', 'waiting']);

const terminalNode: ReadonlySet<NodeStatus> = new Set<NodeStatus>([
  'failed',
  'aborted',
  'succeeded',
  'skipped',
  'partially_succeeded',
  'rejected',
]);
const activeNode: ReadonlySet<NodeStatus> = new Set<NodeStatus>(['running', 'waiting', 'retrying']);

// A finished run moves again only by a retry under the same run id.
const retriedRun: readonly RunStatus[] = ['queued', 'running'];
const runMoves: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  not_started: ['queued', 'running', 'aborted'],
  queued: ['running', 'aborted'],
  running: ['succeeded', 'partially_succeeded', 'failed', 'aborted', 'waiting', 'rejected', 'queued'],
  waiting: ['queued', 'aborted'],
  // A stop cancels the automatic retry of a failed run.
  failed: [...retriedRun, 'aborted'],
  aborted: retriedRun,
  rejected: retriedRun,
  partially_succeeded: retriedRun,
  succeeded: retriedRun,
};

// A retry of the run, or a push-back, starts an ended node again.
const retriedNode: readonly NodeStatus[] = ['not_started'];
const nodeMoves: Readonly<Record<NodeStatus, readonly NodeStatus[]>> = {
  not_started: ['running', 'waiting', 'skipped', 'failed', 'aborted'],
  running: ['succeeded', 'partially_succeeded', 'failed', 'aborted', 'waiting', 'retrying'],
  retrying: ['running', 'failed', 'aborted'],
  waiting: ['succeeded', 'rejected', 'aborted', 'not_started'],
  failed: retriedNode,
  aborted: retriedNode,
  succeeded: retriedNode,
  skipped: retriedNode,
  partially_succeeded: retriedNode,
  rejected: retriedNode,
};

export function toRunStatusNumber(status: RunStatus): RunStatusNumber {
  return runNumbers[status];
}

export function toNodeStatusNumber(status: NodeStatus): NodeStatusNumber {
  return nodeNumbers[status];
}

export function findRunStatus(number: number): RunStatus | undefined {
  return runStatuses.find((status) => runNumbers[status] === number);
}

export function findNodeStatus(number: number): NodeStatus | undefined {
  return nodeStatuses.find((status) => nodeNumbers[status] === number);
}

export function isRunStatus(value: unknown): value is RunStatus {
  return typeof value === 'string' && Object.hasOwn(runNumbers, value);
}

export function isNodeStatus(value: unknown): value is NodeStatus {
  return typeof value === 'string' && Object.hasOwn(nodeNumbers, value);
}

/** Whether the run has ended. */
export function isTerminalRun(status: RunStatus): boolean {
  return terminalRun.has(status);
}

/** Queued, running or waiting. */
export function isActiveRun(status: RunStatus): boolean {
  return activeRun.has(status);
}

/** Whether the run is in its queue: it waits for a slot, or holds one. */
export function isInQueue(status: RunStatus): boolean {
  return status === 'queued' || status === 'running';
}

export function isQueuedRun(status: RunStatus): boolean {
  return status === 'queued';
}

export function isRunningRun(status: RunStatus): boolean {
  return status === 'running';
}

export function isAbortedRun(status: RunStatus): boolean {
  return status === 'aborted';
}

export function isWaitingRun(status: RunStatus): boolean {
  return status === 'waiting';
}

export function isFailedRun(status: RunStatus): boolean {
  return status === 'failed';
}

export function isRejectedRun(status: RunStatus): boolean {
  return status === 'rejected';
}

/** Also when it succeeded in part. */
export function isSuccessfulRun(status: RunStatus): boolean {
  return status === 'succeeded' || status === 'partially_succeeded';
}

/** Whether the run may go to `to` in one move. Keeping a status is not a move. */
export function canMoveRun(from: RunStatus, to: RunStatus): boolean {
  return runMoves[from].includes(to);
}

export function isTerminalNode(status: NodeStatus): status is NodeEnd {
  return terminalNode.has(status);
}

/** Started and not ended: running, waiting or retrying. */
export function isActiveNode(status: NodeStatus): boolean {
  return activeNode.has(status);
}

export function isRunningNode(status: NodeStatus): boolean {
  return status === 'running';
}

/** Whether the node counts as an active step of its scope: running or retrying. */
export function isBusyNode(status: NodeStatus): boolean {
  return status === 'running' || status === 'retrying';
}

/** Whether the node waits for its next attempt. */
export function isRetryingNode(status: NodeStatus): boolean {
  return status === 'retrying';
}

export function isWaitingNode(status: NodeStatus): status is 'waiting' {
  return status === 'waiting';
}

export function isRejectedNode(status: NodeStatus): boolean {
  return status === 'rejected';
}

export function isUnstartedNode(status: NodeStatus): boolean {
  return status === 'not_started';
}

/** Also when it succeeded in part. A skipped node was not executed, so it is not successful. */
export function isSuccessfulNode(status: NodeStatus): boolean {
  return status === 'succeeded' || status === 'partially_succeeded';
}

/** Whether the node was not executed: it had nothing to do, or a router chose another route. */
export function isSkippedNode(status: NodeStatus): boolean {
  return status === 'skipped';
}

/** Successful or skipped: the node does not make its run fail. */
export function isPassedNode(status: NodeStatus): boolean {
  return isSuccessfulNode(status) || isSkippedNode(status);
}

/** Whether the node may go to `to` in one move. Keeping a status is not a move. */
export function canMoveNode(from: NodeStatus, to: NodeStatus): boolean {
  return nodeMoves[from].includes(to);
}

export function isPartialNode(status: NodeStatus): boolean {
  return status === 'partially_succeeded';
}

export function isFailedNode(status: NodeStatus): boolean {
  return status === 'failed';
}

/** Whether an attempt with this end may be followed by another one. */
export function isRetriedEnd(end: StepEnd): boolean {
  return end === 'failed';
}

/** When the dependents of a node run although it did not succeed. */
export interface Continues {
  readonly onFailure: boolean;
  readonly onSkip: boolean;
}

export function dependencyGate(end: NodeEnd, { onFailure, onSkip }: Continues): DependencyGate {
  if (isSuccessfulNode(end)) return 'open';
  if (end === 'skipped') return onSkip ? 'open' : 'skip';
  return onFailure && isFailedNode(end) ? 'open' : 'abort';
}

/** Whether a run ended before its first step because its preconditions were not met. */
export function isDeclinedRun(status: RunStatus, nodes: readonly NodeStatus[]): boolean {
  // A run that was stopped has aborted nodes; only unmet preconditions of the run skip all of them.
  return status === 'aborted' && nodes.length > 0 && nodes.every((node) => node === 'skipped');
}

export function isAbortedNode(status: NodeStatus): boolean {
  return status === 'aborted';
}
