import type { ForestNode } from '@weir/rollout-contract';

/** Where a node of the forest is drawn: its row is its place in the list. */
export interface LanePlace {
  readonly lane: number;
  /** Row and lane of what it continues. */
  readonly parent: { readonly row: number; readonly lane: number } | undefined;
}

type Node = Pick<ForestNode, 'interaction_id' | 'parent_id'>;

/**
 * Places interactions, in the order of completion, into lanes: the first continuation of an interaction goes on in its
 * lane, each further one, and each root, begins a new one.
 */
export function placeInLanes(nodes: readonly Node[]): readonly LanePlace[] {
  const rows = new Map<string, number>();
  const continued = new Set<string>();
  const places: LanePlace[] = [];
  let lanes = 0;
  nodes.forEach(({ interaction_id: id, parent_id: parentId }, row) => {
    rows.set(id, row);
    const parentRow = parentId === null ? undefined : rows.get(parentId);
    const parentPlace = parentRow === undefined ? undefined : places[parentRow];
    if (parentId === null || parentRow === undefined || parentPlace === undefined) {
      places.push({ lane: lanes++, parent: undefined });
      return;
    }
    const parent = { row: parentRow, lane: parentPlace.lane };
    places.push({ lane: continued.has(parentId) ? lanes++ : parent.lane, parent });
    continued.add(parentId);
  });
  return places;
}
