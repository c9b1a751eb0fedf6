import type { Graph } from './graph';

/** Nodes in ranks. Long edges pass through dummies, which are numbered after the nodes. */
export interface Layers {
  readonly layers: number[][];
  readonly up: readonly (readonly number[])[];
  readonly down: readonly (readonly number[])[];
  /** The dummies of each long edge, by `from * count + to`. */
  readonly chains: ReadonlyMap<number, readonly number[]>;
}

/** The rank of each node is the length of the longest way to it; a node without predecessors is placed next to its successors. */
export function rankNodes({ count, predecessors, successors, order }: Graph): Int32Array {
  const ranks = new Int32Array(count);
  for (const node of order) {
    for (const other of predecessors[node] ?? []) ranks[node] = Math.max(ranks[node] ?? 0, (ranks[other] ?? 0) + 1);
  }
  for (const node of order) {
    const followers = successors[node] ?? [];
    if ((predecessors[node] ?? []).length > 0 || followers.length === 0) continue;
    ranks[node] = followers.reduce((least, other) => Math.min(least, (ranks[other] ?? 1) - 1), count);
  }
  return ranks;
}

/** Assigns nodes and dummies to ranks. Edges without dummies, once these are used up, go straight. */
export function createLayers(graph: Graph, ranks: Int32Array): Layers {
  const { count } = graph;
  const depth = ranks.reduce((most, rank) => Math.max(most, rank + 1), 0);
  const layers = Array.from({ length: depth }, (): number[] => []);
  for (const node of graph.order) layers[ranks[node] ?? 0]?.push(node);
  const up: number[][] = Array.from({ length: count }, () => []);
  const down: number[][] = Array.from({ length: count }, () => []);
  const chains = new Map<number, number[]>();
  let budget = count + 500;
  const link = (from: number, to: number): void => {
    down[from]?.push(to);
    up[to]?.push(from);
  };
  for (const [from, to, span] of findEdges(graph, ranks)) {
    if (span - 1 > budget) continue;
    budget -= span - 1;
    const chain: number[] = [];
    for (let rank = (ranks[from] ?? 0) + 1, last = from; rank <= (ranks[to] ?? 0); rank += 1) {
      const next = rank === ranks[to] ? to : up.length;
      if (next !== to) {
        up.push([]);
        down.push([]);
        layers[rank]?.push(next);
        chain.push(next);
      }
      link(last, next);
      last = next;
    }
    if (chain.length > 0) chains.set(from * count + to, chain);
  }
  return { layers, up, down, chains };
}

/** Sorts short edges first, because they need the fewest dummies. */
function findEdges({ predecessors }: Graph, ranks: Int32Array): readonly (readonly [number, number, number])[] {
  return predecessors
    .flatMap((others, node) => others.map((other) => [other, node, (ranks[node] ?? 0) - (ranks[other] ?? 0)] as const))
    .sort(([, , span], [, , otherSpan]) => span - otherSpan);
}
