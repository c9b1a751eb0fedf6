// Measures how long the layout of the graph of steps takes on the processor. Figures are for comparing rows with each
// other. `npm run bench graph-layout` runs it.
import { layoutGraph, type GraphNode } from '@weir/ui-kit/graph-layout';

const sizes = [100, 1000, 5000];
const rounds = 15;

/** Each step depends on up to three others at different distances before it. */
const layered = (count: number): readonly GraphNode[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `step_${index}`,
    depends: [20, 23, 47].flatMap((distance) => (index < distance ? [] : [`step_${index - distance}`])),
  }));

const fanOut = (count: number): readonly GraphNode[] =>
  Array.from({ length: count }, (_, index) => {
    const isJoin = index === count - 1;
    const middle = Array.from({ length: isJoin ? count - 2 : 0 }, (__, place) => `step_${place + 1}`);
    return { id: `step_${index}`, depends: isJoin ? middle : index === 0 ? [] : ['step_0'] };
  });

const chain = (count: number): readonly GraphNode[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `step_${index}`,
    depends: index === 0 ? [] : [`step_${index - 1}`],
  }));

/** Long edges over most of the graph. */
const tangled = (count: number): readonly GraphNode[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `step_${index}`,
    depends: index < 3 ? [] : [`step_${index - 2}`, `step_${(index * 7919) % (index - 1)}`],
  }));

function medianCpuMs(action: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    action();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  }).sort((left, right) => left - right);
  return times[Math.floor(rounds / 2)] ?? 0;
}

const shapes = { layered, 'fan-out': fanOut, chain, tangled };
console.log(`| steps | ${Object.keys(shapes).join(' | ')} |`);
console.log('| ---: | ---: | ---: | ---: | ---: |');
for (const size of sizes) {
  const cells = Object.values(shapes).map((shape) => {
    const nodes = shape(size);
    return medianCpuMs(() => void layoutGraph({ nodes, direction: 'right' })).toFixed(0);
  });
  console.log(`| ${size} | ${cells.join(' | ')} |`);
}
