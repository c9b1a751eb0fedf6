import { layoutGraph, type GraphDirection } from '@weir/ui-kit/graph-layout';
import { toGraphItems, type LaidOut } from './graph-items';
import { findNeighbour } from './graph-keys';

const steps = [
  { name: 'fetch', depends: [] },
  { name: 'clean', depends: ['fetch'] },
  { name: 'check', depends: ['fetch'] },
  { name: 'load', depends: ['clean', 'check'] },
];

function layOut(direction: GraphDirection): LaidOut {
  const items = toGraphItems(steps, { scope: 'all' });
  return { items, layout: layoutGraph({ nodes: items, direction }), direction };
}

it.each([
  ['clean', 'ArrowLeft', 'fetch'],
  ['clean', 'ArrowRight', 'load'],
  ['clean', 'ArrowDown', 'check'],
  ['check', 'ArrowUp', 'clean'],
  ['clean', 'ArrowUp', undefined],
  ['load', 'ArrowRight', undefined],
  ['load', 'a', undefined],
  [undefined, 'ArrowRight', 'fetch'],
])('moves from %s by %s to %s', (from, key, to) => {
  expect(findNeighbour(layOut('right'), from, key)).toBe(to);
});

it('turns with the direction of the graph', () => {
  expect(findNeighbour(layOut('down'), 'fetch', 'ArrowDown')).toBe('clean');
  expect(findNeighbour(layOut('down'), 'clean', 'ArrowRight')).toBe('check');
});
