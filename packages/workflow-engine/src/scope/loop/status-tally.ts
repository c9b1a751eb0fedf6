import type { RunStatus } from '../../model/statuses/run-status';
import { nodeStatus, type NodeEnd } from '../../model/statuses/node-status';

/** Why a run ended before its steps did. */
export type StopReason = 'stopped' | 'timed_out';

/** Counts how the nodes of a run ended. */
export interface StatusTally {
  readonly nodes: number;
  readonly ended: number;
  readonly successful: number;
  readonly partial: number;
  /** Failures after which the dependents ran. */
  readonly continued: number;
  /** Failed and aborted nodes that count. */
  readonly unsuccessful: number;
  readonly rejected: number;
}

export function emptyTally(nodes: number): StatusTally {
  return { nodes, ended: 0, successful: 0, partial: 0, continued: 0, unsuccessful: 0, rejected: 0 };
}

export function countEnd(tally: StatusTally, end: NodeEnd, continues: boolean): StatusTally {
  return {
    nodes: tally.nodes,
    ended: tally.ended + 1,
    successful: tally.successful + Number(nodeStatus.isSuccessful(end)),
    partial: tally.partial + Number(nodeStatus.isPartial(end)),
    continued: tally.continued + Number(!nodeStatus.isPassed(end) && continues),
    unsuccessful: tally.unsuccessful + Number(!nodeStatus.isPassed(end) && !continues),
    rejected: tally.rejected + Number(nodeStatus.isRejected(end)),
  };
}

/** The status of a run whose nodes ended like this. */
export function runStatusOfEnds(ends: readonly { readonly end: NodeEnd; readonly continues: boolean }[]): RunStatus {
  const tally = ends.reduce(
    (counted, { end, continues }) => countEnd(counted, end, continues),
    emptyTally(ends.length),
  );
  return deriveRunStatus(tally, undefined);
}

/** The state of a run that follows from its nodes; `waiting` when only those that wait for people are left. */
export function deriveRunStatus(tally: StatusTally, stop: StopReason | undefined, isWaiting = false): RunStatus {
  const hasEnded = tally.ended === tally.nodes;
  const isUnsuccessful = !hasEnded || tally.unsuccessful > 0;
  // First match wins.
  if (stop !== undefined && isUnsuccessful) return stop === 'stopped' ? 'aborted' : 'failed';
  if (tally.rejected > 0 && (hasEnded || isWaiting)) return 'rejected';
  if (isWaiting) return 'waiting';
  if (!hasEnded) return 'running';
  if (tally.unsuccessful > 0) return 'failed';
  if (tally.partial > 0 || (tally.continued > 0 && tally.successful > 0)) return 'partially_succeeded';
  return tally.continued > 0 ? 'failed' : 'succeeded';
}
