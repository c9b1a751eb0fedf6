import { layoutGraph, nodeSize } from '@weir/ui-kit/graph-layout';
import type { LaidOut } from './graph-items';
import { fitView, startView } from './start-view';

const size = { width: 800, height: 400 };

function chain(count: number): LaidOut {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    names: [`s${index}`],
    depends: index === 0 ? [] : [`s${index - 1}`],
  }));
  return { items, layout: layoutGraph({ nodes: items, direction: 'right' }), direction: 'right' };
}

const options = { smallestScale: 0.5, partScale: 1 };

it('shows all of a graph that stays readable, in the middle', () => {
  const laidOut = chain(2);

  expect(startView(laidOut, size, { ...options, selected: 's1' })).toEqual(fitView(laidOut.layout, size));
});

it('begins at the start of a larger one, in a readable size', () => {
  expect(startView(chain(100), size, options)).toMatchObject({ scale: 1, x: 24 });
});

it('centres the selected item of a larger one', () => {
  const laidOut = chain(100);
  const { x, scale } = startView(laidOut, size, { ...options, selected: 's50' });

  const node = laidOut.layout.nodes.find(({ id }) => id === 's50');
  expect(x + ((node?.x ?? 0) + nodeSize.width / 2) * scale).toBeCloseTo(size.width / 2);
});

it('shows nothing beyond the end of a larger one whose last item is selected', () => {
  const laidOut = chain(100);
  const { x, scale } = startView(laidOut, size, { ...options, selected: 's99' });

  expect(x + laidOut.layout.width * scale).toBeCloseTo(size.width - 24);
});
