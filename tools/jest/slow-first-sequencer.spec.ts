import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SlowFirstSequencer } from './slow-first-sequencer.cjs';

type Test = Parameters<InstanceType<typeof SlowFirstSequencer>['sort']>[0][number];

const root = path.resolve(__dirname, '../..');
const slowSuites = JSON.parse(readFileSync(path.join(__dirname, 'slow-suites.json'), 'utf8')) as readonly string[];
const sizes: Readonly<Record<string, number>> = { '/small.spec.ts': 1, '/large.spec.ts': 2 };

function testOf(file: string): Test {
  const config = { id: 'none', cacheDirectory: '/nowhere' };
  const context = { config, hasteFS: { getSize: (name: string) => sizes[name] ?? 0 } };
  return { path: file, context } as unknown as Test;
}

describe('the order of suites', () => {
  it('is that of the slow ones, and by size for the others', () => {
    const [first = '', second = ''] = slowSuites.map((file) => path.join(root, file));
    const sequencer = new SlowFirstSequencer({ contexts: [], globalConfig: {} as never });

    const order = sequencer.sort(['/small.spec.ts', second, '/large.spec.ts', first].map(testOf)) as Test[];

    expect(order.map((test) => test.path)).toEqual([first, second, '/large.spec.ts', '/small.spec.ts']);
  });
});

it.each(slowSuites)('%s exists', (file) => {
  expect(existsSync(path.join(root, file))).toBe(true);
});
