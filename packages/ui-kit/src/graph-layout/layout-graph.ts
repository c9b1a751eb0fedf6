import { readGraph, type Graph, type GraphNode } from './graph';
import { createLayers, rankNodes, type Layers } from './layers';
import { orderLayers } from './order-layers';
import { placeLayers } from './place-layers';

/** The direction from one rank to the next. */
export type GraphDirection = 'right' | 'down';

interface LayoutRequest {
  readonly nodes: readonly GraphNode[];
  readonly direction: GraphDirection;
}

export interface PlacedNode {
  readonly id: string;
  /** The position of the upper left corner. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  /** Alternating x and y, from the border of one node to that of the other. */
  readonly points: readonly number[];
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** The size of every node. */
export const nodeSize = { width: 208, height: 44 } as const;

/** The gaps between ranks, and between neighbours of a rank. */
const gaps = { right: { rank: 56, neighbour: 16 }, down: { rank: 48, neighbour: 24 } } as const;
const dummyRoom = 8;

/**
 * Lays a graph out in ranks, each node after those that it depends on. The same nodes in the same order always get
 * the same positions.
 */
export function layoutGraph({ nodes, direction }: LayoutRequest): GraphLayout {
  const graph = readGraph(nodes);
  const ranks = rankNodes(graph);
  const layers = createLayers(graph, ranks);
  orderLayers(layers);
  const isRight = direction === 'right';
  const [along, across] = isRight ? [nodeSize.width, nodeSize.height] : [nodeSize.height, nodeSize.width];
  const gap = gaps[direction];
  const roomOf = (node: number): number => (node < graph.count ? across : dummyRoom);
  const middles = placeLayers(layers, (node, other) => (roomOf(node) + roomOf(other)) / 2 + gap.neighbour);
  const { least, most } = findEnds(middles, roomOf);
  const grid: Grid = {
    along,
    startOf: (rank) => rank * (along + gap.rank),
    middleOf: (node) => Math.round((middles[node] ?? 0) - least),
    toPoint: (main, cross) => (isRight ? [main, cross] : [cross, main]),
  };
  const [width, height] = grid.toPoint(Math.max(0, grid.startOf(layers.layers.length) - gap.rank), most - least);
  return {
    nodes: nodes.map(({ id }, node) => {
      const [x, y] = grid.toPoint(grid.startOf(ranks[node] ?? 0), grid.middleOf(node) - across / 2);
      return { id, x, y };
    }),
    edges: placeEdges(nodes, graph, { layers, ranks, grid }),
    width,
    height,
  };
}

interface Grid {
  /** The length of a node from rank to rank. */
  readonly along: number;
  readonly startOf: (rank: number) => number;
  readonly middleOf: (node: number) => number;
  readonly toPoint: (main: number, cross: number) => readonly [number, number];
}

function findEnds(middles: Float64Array, roomOf: (node: number) => number): { least: number; most: number } {
  if (middles.length === 0) return { least: 0, most: 0 };
  let [least, most] = [Infinity, -Infinity];
  for (const [node, middle] of middles.entries()) {
    least = Math.min(least, middle - roomOf(node) / 2);
    most = Math.max(most, middle + roomOf(node) / 2);
  }
  return { least, most: Math.ceil(most) };
}

interface PlacedLayers {
  readonly layers: Layers;
  readonly ranks: Int32Array;
  readonly grid: Grid;
}

/** A long edge runs straight through the ranks between, in the gaps that its dummies keep free. */
function placeEdges(
  nodes: readonly GraphNode[],
  { predecessors, count }: Graph,
  { layers: { chains }, ranks, grid }: PlacedLayers,
): readonly PlacedEdge[] {
  const { along, startOf, middleOf, toPoint } = grid;
  return predecessors.flatMap((others, to) =>
    others.map((from) => {
      const fromRank = ranks[from] ?? 0;
      const through = (chains.get(from * count + to) ?? []).flatMap((dummy, index) => {
        const start = startOf(fromRank + 1 + index);
        return [...toPoint(start, middleOf(dummy)), ...toPoint(start + along, middleOf(dummy))];
      });
      const points = [
        ...toPoint(startOf(fromRank) + along, middleOf(from)),
        ...through,
        ...toPoint(startOf(ranks[to] ?? 0), middleOf(to)),
      ];
      return { from: nodes[from]?.id ?? '', to: nodes[to]?.id ?? '', points };
    }),
  );
}
