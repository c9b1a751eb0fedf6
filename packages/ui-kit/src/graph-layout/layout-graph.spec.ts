import type { GraphNode } from './graph';
import { layoutGraph, nodeSize, type GraphLayout, type PlacedNode } from './layout-graph';

const node = (id: string, ...depends: readonly string[]): GraphNode => ({ id, depends });
const lay = (...nodes: readonly GraphNode[]): GraphLayout => layoutGraph({ nodes, direction: 'right' });

function placeOf(layout: GraphLayout, id: string): { readonly x: number; readonly y: number } {
  const found = layout.nodes.find((placed) => placed.id === id);
  if (found === undefined) throw new Error(`There is no node ${id}.`);
  return found;
}

it('puts each node after its dependencies', () => {
  const layout = lay(node('load', 'clean', 'check'), node('clean', 'fetch'), node('check', 'clean'), node('fetch'));

  const columns = ['fetch', 'clean', 'check', 'load'].map((id) => placeOf(layout, id).x);
  expect(columns).toEqual([...columns].sort((one, other) => one - other));
  expect(new Set(columns).size).toBe(4);
});

it('runs downwards on request', () => {
  const layout = layoutGraph({ nodes: [node('fetch'), node('load', 'fetch')], direction: 'down' });

  expect(placeOf(layout, 'load').y).toBeGreaterThanOrEqual(placeOf(layout, 'fetch').y + nodeSize.height);
  expect(placeOf(layout, 'load').x).toBe(placeOf(layout, 'fetch').x);
});

it('keeps nodes from overlapping, and within the width and the height', () => {
  const layout = layoutGraph({ nodes: manyNodes(400), direction: 'right' });

  const isInside = ({ x, y }: PlacedNode): boolean =>
    x >= 0 && y >= 0 && x + nodeSize.width <= layout.width && y + nodeSize.height <= layout.height + 1;
  const overlaps = layout.nodes.flatMap((one, index) =>
    layout.nodes
      .slice(index + 1)
      .filter((other) => Math.abs(one.x - other.x) < nodeSize.width && Math.abs(one.y - other.y) < nodeSize.height),
  );
  expect(overlaps).toEqual([]);
  expect(layout.nodes.filter((placed) => !isInside(placed))).toEqual([]);
});

it('puts a chain on one line', () => {
  const layout = lay(node('a'), node('b', 'a'), node('c', 'b'), node('d', 'c'));

  expect(new Set(layout.nodes.map(({ y }) => y)).size).toBe(1);
});

it('centres the dependents of a node around it', () => {
  const layout = lay(node('split'), node('one', 'split'), node('two', 'split'), node('join', 'one', 'two'));

  const middle = (placeOf(layout, 'one').y + placeOf(layout, 'two').y) / 2;
  expect(placeOf(layout, 'split').y).toBeCloseTo(middle, 0);
  expect(placeOf(layout, 'join').y).toBeCloseTo(middle, 0);
});

it('orders ranks to avoid unnecessary crossings of edges', () => {
  const layout = lay(node('a'), node('b'), node('of-b', 'b'), node('of-a', 'a'));

  expect(placeOf(layout, 'of-a').y).toBe(placeOf(layout, 'a').y);
  expect(placeOf(layout, 'of-b').y).toBe(placeOf(layout, 'b').y);
});

it('puts a node without dependencies next to its dependents', () => {
  const layout = lay(node('a'), node('b', 'a'), node('c', 'b', 'late'), node('late'));

  expect(placeOf(layout, 'late').x).toBe(placeOf(layout, 'b').x);
});

it('routes a long edge around the nodes between its ends', () => {
  const layout = lay(node('a'), node('b', 'a'), node('c', 'b', 'a'));

  const long = layout.edges.find(({ from, to }) => from === 'a' && to === 'c');
  const ys = long?.points.filter((_, index) => index % 2 === 1) ?? [];
  const b = placeOf(layout, 'b').y;
  expect(ys).toHaveLength(4);
  expect(ys.slice(1, 3).every((y) => y < b || y > b + nodeSize.height)).toBe(true);
});

it('gives the same nodes the same places', () => {
  expect(layoutGraph({ nodes: manyNodes(100), direction: 'right' })).toEqual(
    layoutGraph({ nodes: manyNodes(100), direction: 'right' }),
  );
});

it('ignores dependencies that are unknown, repeated or close a cycle, as in unfinished text', () => {
  const layout = lay(node('a', 'c', 'missing'), node('b', 'a', 'a'), node('c', 'b', 'c'));

  expect(layout.nodes).toHaveLength(3);
  expect(layout.edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['a b', 'b c']);
});

it('returns an empty layout for no nodes', () => {
  expect(lay()).toEqual({ nodes: [], edges: [], width: 0, height: 0 });
});

/** Each node depends on up to three of the fifty before it; always the same. */
function manyNodes(count: number): readonly GraphNode[] {
  return Array.from({ length: count }, (_, index) =>
    node(
      `n${index}`,
      ...[7, 13, 41].flatMap((step) => (index > step ? [`n${index - ((index * step) % 50) - 1}`] : [])),
    ),
  );
}
