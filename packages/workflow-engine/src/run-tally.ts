import { isFineNode, isPartialNode, isRejectedNode, isSuccessfulNode, type NodeEnd, type RunStatus } from './statuses';

/** Why a run ended before its steps did. */
export type StopReason = 'stopped' | 'timed_out';

/** Counts how the nodes of a run ended. */
export interface RunTally {
  readonly nodes: number;
  readonly ended: number;
  readonly successful: number;
  readonly partial: number;
  /** Failures after which the dependents ran all the same. */
  readonly continued: number;
  /** Failed and aborted nodes that count. */
  readonly spoiled: number;
  readonly rejected: number;
}

export function newTally(nodes: number): RunTally {
  return { nodes, ended: 0, successful: 0, partial: 0, continued: 0, spoiled: 0, rejected: 0 };
}

export function countEnd(tally: RunTally, end: NodeEnd, continues: boolean): RunTally {
  return {
    nodes: tally.nodes,
    ended: tally.ended + 1,
    successful: tally.successful + Number(isSuccessfulNode(end)),
    partial: tally.partial + Number(isPartialNode(end)),
    continued: tally.continued + Number(!isFineNode(end) && continues),
    spoiled: tally.spoiled + Number(!isFineNode(end) && !continues),
    rejected: tally.rejected + Number(isRejectedNode(end)),
  };
}

/** The state of a run that follows from its nodes; `waiting` when only those that wait for people are left. */
export function runOutcomeOf(tally: RunTally, stop: StopReason | undefined, isWaiting = false): RunStatus {
  const isOver = tally.ended === tally.nodes;
  const isSpoiled = !isOver || tally.spoiled > 0;
  // First match wins.
  if (stop !== undefined && isSpoiled) return stop === 'stopped' ? 'aborted' : 'failed';
  if (tally.rejected > 0 && (isOver || isWaiting)) return 'rejected';
  if (isWaiting) return 'waiting';
  if (!isOver) return 'running';
  if (tally.spoiled > 0) return 'failed';
  if (tally.partial > 0 || (tally.continued > 0 && tally.successful > 0)) return 'partially_succeeded';
  return tally.continued > 0 ? 'failed' : 'succeeded';
}
