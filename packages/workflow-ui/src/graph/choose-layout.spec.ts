import { chooseLayout } from './choose-layout';

const room = { width: 575, height: 480 };
const chain = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, depends: index === 0 ? [] : [`s${index - 1}`] }));
const fan = (count: number) => [
  { id: 'start', depends: [] },
  ...Array.from({ length: count }, (_, index) => ({ id: `p${index}`, depends: ['start'] })),
];

it('keeps the preferred direction of a graph that fits', () => {
  expect(chooseLayout({ nodes: chain(2), preferred: 'right', room }).direction).toBe('right');
  expect(chooseLayout({ nodes: chain(2), preferred: 'down', room }).direction).toBe('down');
});

it('turns a chain that is too long for the width', () => {
  expect(chooseLayout({ nodes: chain(5), preferred: 'right', room }).direction).toBe('down');
});

it('turns many steps beside each other that are too many for the width', () => {
  expect(chooseLayout({ nodes: fan(8), preferred: 'down', room }).direction).toBe('right');
});

it('does not lay a large graph out twice', () => {
  expect(chooseLayout({ nodes: chain(500), preferred: 'right', room }).direction).toBe('right');
});
