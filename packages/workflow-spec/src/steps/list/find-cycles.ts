type Graph = ReadonlyMap<string, readonly { readonly name: string }[]>;

/**
 * Finds one cycle per strongly connected component: the shortest one through its first step, each step followed by
 * one it depends on. The search is linear in steps and edges, and iterative, because chains may be long.
 */
export function findCycles(graph: Graph): readonly (readonly string[])[] {
  const components = findComponents(graph);
  const cycles: (readonly string[])[] = [];
  const seen = new Set<number>();
  for (const name of graph.keys()) {
    const component = components.get(name);
    if (component === undefined || seen.has(component)) continue;
    seen.add(component);
    const cycle = shortestCycle(graph, name, components);
    if (cycle) cycles.push(cycle);
  }
  return cycles;
}

/** Tarjan's algorithm: maps each step to the number of its component. */
function findComponents(graph: Graph): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const components = new Map<string, number>();
  const open: string[] = [];
  const enter = (name: string) => {
    order.set(name, order.size);
    lowest.set(name, order.size - 1);
    open.push(name);
    return { name, edges: (graph.get(name) ?? []).values() };
  };
  const lowerLink = (name: string, to: number) => lowest.set(name, Math.min(lowest.get(name) ?? to, to));
  const closeComponent = (name: string) => {
    if (lowest.get(name) !== order.get(name)) return;
    const component = order.get(name) ?? 0;
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      components.set(member, component);
      if (member === name) return;
    }
  };

  for (const start of graph.keys()) {
    if (order.has(start)) continue;
    const path = [enter(start)];
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const edge = at.edges.next();
      if (edge.done) {
        path.pop();
        closeComponent(at.name);
        const parent = path.at(-1);
        if (parent) lowerLink(parent.name, lowest.get(at.name) ?? 0);
      } else if (!order.has(edge.value.name)) path.push(enter(edge.value.name));
      else if (!components.has(edge.value.name)) lowerLink(at.name, order.get(edge.value.name) ?? 0);
    }
  }
  return components;
}

/** Searches breadth-first inside the component until an edge leads back to the start. */
function shortestCycle(
  graph: Graph,
  start: string,
  components: ReadonlyMap<string, number>,
): readonly string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const name of cameFrom.keys()) {
    for (const edge of graph.get(name) ?? []) {
      if (edge.name === start) return pathTo(name, cameFrom);
      if (components.get(edge.name) === components.get(start) && !cameFrom.has(edge.name))
        cameFrom.set(edge.name, name);
    }
  }
  return undefined;
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const path: string[] = [];
  for (let name: string | undefined = end; name !== undefined; name = cameFrom.get(name)) path.push(name);
  return path.reverse();
}
