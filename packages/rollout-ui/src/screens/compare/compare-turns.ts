import type { ForestNode } from '@weir/rollout-contract';
import type { TokenPath } from '../../api/read-tokens';

/** A turn of one side. */
export interface TurnSide {
  readonly interactionId: string;
  readonly sampledTokens: number;
  readonly reward: number | null;
  readonly finishReason: string;
}

export interface ComparedTurn {
  /** From 1. */
  readonly number: number;
  /** Missing where the other side has more turns. */
  readonly left: TurnSide | undefined;
  readonly right: TurnSide | undefined;
  /** Where the tokens that the turns added begin to differ; missing where they are equal. */
  readonly difference: TurnDifference | undefined;
}

export interface TurnDifference {
  /** Of the first different token, in each path; at the end of the turn where it has no more. */
  readonly left: number;
  readonly right: number;
  /** Whether the model sampled it, on either side; otherwise the requests differ. */
  readonly isSampled: boolean;
}

export type ComparedPath = Pick<TokenPath, 'ids' | 'segments'>;

/** The side of a comparison: its path and what is known of its interactions. */
export interface ComparedSide {
  readonly path: ComparedPath;
  readonly nodes: readonly ForestNode[];
}

/** The turns of two paths side by side, the first with the first. */
export function compareTurns(left: ComparedSide, right: ComparedSide): readonly ComparedTurn[] {
  const count = Math.max(left.path.segments.length, right.path.segments.length);
  return Array.from({ length: count }, (_, turn) => ({
    number: turn + 1,
    left: describeTurn(left, turn),
    right: describeTurn(right, turn),
    difference: findDifference(left.path, right.path, turn),
  }));
}

function describeTurn({ path, nodes }: ComparedSide, turn: number): TurnSide | undefined {
  const segment = path.segments[turn];
  const node = nodes.find(({ interaction_id: id }) => id === segment?.interaction_id);
  if (segment === undefined || node === undefined) return undefined;
  return {
    interactionId: segment.interaction_id,
    sampledTokens: node.sampled_tokens,
    reward: node.reward,
    finishReason: node.finish_reason,
  };
}

function findDifference(left: ComparedPath, right: ComparedPath, turn: number): TurnDifference | undefined {
  const [one, other] = [left.segments[turn], right.segments[turn]];
  if (one === undefined || other === undefined) return undefined;
  const [length, otherLength] = [one.to - one.from, other.to - other.from];
  const shared = Math.min(length, otherLength);
  let at = 0;
  while (at < shared && left.ids[one.from + at] === right.ids[other.from + at]) at += 1;
  if (at === length && at === otherLength) return undefined;
  const isSampled = one.from + at >= one.sampled_from || other.from + at >= other.sampled_from;
  return { left: one.from + at, right: other.from + at, isSampled };
}
