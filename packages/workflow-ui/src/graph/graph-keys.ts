import type { PlacedNode } from '@weir/ui-kit/graph-layout';
import type { LaidOut } from './graph-items';

type Move = 'before' | 'after' | 'previous' | 'next';

const movesRight: Readonly<Record<string, Move>> = {
  ArrowLeft: 'before',
  ArrowRight: 'after',
  ArrowUp: 'previous',
  ArrowDown: 'next',
};
const movesDown: Readonly<Record<string, Move>> = {
  ArrowUp: 'before',
  ArrowDown: 'after',
  ArrowLeft: 'previous',
  ArrowRight: 'next',
};

/**
 * Returns where an arrow key leads from an item: along an edge, or to its neighbour in the rank. Returns `undefined`
 * where there is no item, and for other keys. Without an item, any arrow leads to the first one.
 */
export function findNeighbour(laidOut: LaidOut, id: string | undefined, key: string): string | undefined {
  const { layout, direction } = laidOut;
  const move = (direction === 'right' ? movesRight : movesDown)[key];
  if (move === undefined) return undefined;
  const current = layout.nodes.find((node) => node.id === id);
  if (current === undefined) return layout.nodes[0]?.id;
  const across = ({ x, y }: PlacedNode): number => (direction === 'right' ? y : x);
  const along = ({ x, y }: PlacedNode): number => (direction === 'right' ? x : y);
  const distance = (node: PlacedNode): number => Math.abs(across(node) - across(current));
  const candidates = layout.nodes.filter((node) => {
    if (move === 'previous') return along(node) === along(current) && across(node) < across(current);
    if (move === 'next') return along(node) === along(current) && across(node) > across(current);
    return linked(laidOut, current.id, move).has(node.id);
  });
  return candidates.sort((one, other) => distance(one) - distance(other))[0]?.id;
}

function linked({ layout: { edges } }: LaidOut, id: string, move: 'before' | 'after'): ReadonlySet<string> {
  return move === 'before'
    ? new Set(edges.filter(({ to }) => to === id).map(({ from }) => from))
    : new Set(edges.filter(({ from }) => from === id).map(({ to }) => to));
}
