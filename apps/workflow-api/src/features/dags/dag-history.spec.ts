import { aRunStep } from '@weir/workflow-engine/testing';
import { parseDag } from '@weir/workflow-spec';
import { toGrid } from './dag-history';

describe('toGrid', () => {
  const { dag } = parseDag(
    'steps:\n  - {id: c, run: c, depends: [b]}\n  - {id: a, run: a}\n  - {id: b, run: b, depends: [a]}\n',
    { name: 'x' },
  );

  it('lists steps after those they depend on, then those of earlier specs, then handlers', () => {
    const newest = { nodes: [aRunStep({ name: 'a', status: 'succeeded' }), aRunStep({ name: 'b', status: 'failed' })] };
    const oldest = {
      nodes: [
        aRunStep({ name: 'old', status: 'succeeded' }),
        aRunStep({ name: 'mail', scope: 'on/exit', status: 'succeeded' }),
      ],
    };

    expect(toGrid(dag, [newest, oldest])).toEqual([
      { name: 'a', history: [4, 0] },
      { name: 'b', history: [2, 0] },
      { name: 'c', history: [0, 0] },
      { name: 'old', history: [0, 4] },
      { name: 'onExit', history: [0, 4] },
    ]);
  });
});
