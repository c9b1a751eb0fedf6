import type { TokenPath } from '../api/read-tokens';

/** Positions in a path that people look for. All of them start again at the beginning. */
export interface TokenJumps {
  /** The least probable token after those that were looked at before, in the order of their probability. */
  readonly nextLowest: (from: number | undefined) => number | undefined;
  /** Where the next sampled or rendered part begins. */
  readonly nextBoundary: (from: number | undefined) => number | undefined;
  /** Where the version of the weights differs from that of the sampled token before. */
  readonly nextVersion: (from: number | undefined) => number | undefined;
  /** Place of a sampled token in the order of probability, 1 for the least probable. */
  readonly rankOf: (at: number) => number | undefined;
  readonly sampledCount: number;
}

export function createJumps(path: TokenPath): TokenJumps {
  const boundaries = path.segments.flatMap(({ from, sampled_from: sampledFrom, to }) =>
    sampledFrom > from && sampledFrom < to ? [from, sampledFrom] : [from],
  );
  const changes = findVersionChanges(path);
  const after = (positions: readonly number[]) => (from: number | undefined) =>
    positions.find((at) => at > (from ?? -1)) ?? positions[0];
  const order = once(() => orderByProbability(path));
  return {
    nextLowest: (from) => {
      const { lowestFirst, ranks } = order();
      return lowestFirst[(from === undefined ? 0 : (ranks.get(from) ?? 0)) % Math.max(1, ranks.size)];
    },
    nextBoundary: after(boundaries),
    nextVersion: after(changes),
    rankOf: (at) => order().ranks.get(at),
    sampledCount: path.sources.reduce((count, source) => count + Number(source !== 0), 0),
  };
}

/** Sorting many tokens takes longer than showing them, so it waits until somebody asks. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function orderByProbability(path: TokenPath) {
  const lowestFirst = sampledPositions(path).sort((one, other) => logprobOf(path, one) - logprobOf(path, other));
  return { lowestFirst, ranks: new Map(lowestFirst.map((at, index) => [at, index + 1])) };
}

const logprobOf = ({ logprobs }: TokenPath, at: number): number => logprobs[at] ?? 0;

function sampledPositions(path: TokenPath): number[] {
  const positions: number[] = [];
  for (let at = 0; at < path.count; at += 1) if (path.sources[at] !== 0) positions.push(at);
  return positions;
}

function findVersionChanges({ versions, count }: TokenPath): readonly number[] {
  const changes: number[] = [];
  let before: number | undefined;
  for (let at = 0; at < count; at += 1) {
    const version = versions[at] ?? -1;
    if (version < 0) continue;
    if (before !== undefined && version !== before) changes.push(at);
    before = version;
  }
  return changes;
}
