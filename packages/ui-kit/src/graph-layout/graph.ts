/** A node for the layout, with the nodes before it. */
export interface GraphNode {
  readonly id: string;
  readonly depends: readonly string[];
}

/** Nodes by their position in the input; without cycles. */
export interface Graph {
  readonly count: number;
  readonly successors: readonly (readonly number[])[];
  readonly predecessors: readonly (readonly number[])[];
  /** The order of nodes, in which every node comes after its predecessors. */
  readonly order: readonly number[];
}

/**
 * Leaves out unknown names, repetitions and edges that would close a cycle, because a graph that is being edited may
 * have them.
 */
export function readGraph(nodes: readonly GraphNode[]): Graph {
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  const before = nodes.map(({ depends }, node) => {
    const known = depends.flatMap((name) => places.get(name) ?? []);
    return [...new Set(known)].filter((place) => place !== node);
  });
  const order = sortTopologically(before);
  const rounds = new Int32Array(nodes.length);
  for (const [round, node] of order.entries()) rounds[node] = round;
  const roundOf = (node: number): number => rounds[node] ?? 0;
  const predecessors = before.map((list, node) => list.filter((other) => roundOf(other) < roundOf(node)));
  return { count: nodes.length, predecessors, successors: reverseEdges(predecessors), order };
}

export function reverseEdges(lists: readonly (readonly number[])[]): number[][] {
  const reversed = lists.map((): number[] => []);
  for (const [node, others] of lists.entries()) for (const other of others) reversed[other]?.push(node);
  return reversed;
}

/** Where a cycle blocks the order, the first remaining node is next. */
function sortTopologically(before: readonly (readonly number[])[]): readonly number[] {
  const after = reverseEdges(before);
  const missing = Int32Array.from(before, ({ length }) => length);
  const isTaken = new Uint8Array(before.length);
  const order: number[] = [];
  const take = (node: number): void => {
    isTaken[node] = 1;
    order.push(node);
  };
  for (const [node, { length }] of before.entries()) if (length === 0) take(node);
  for (let done = 0, next = 0; order.length < before.length || done < order.length;) {
    const node = order[done];
    if (node === undefined) {
      while (isTaken[next] === 1) next += 1;
      take(next);
      continue;
    }
    done += 1;
    for (const follower of after[node] ?? []) {
      missing[follower] = (missing[follower] ?? 0) - 1;
      if (missing[follower] === 0 && isTaken[follower] === 0) take(follower);
    }
  }
  return order;
}
