import type { AdapterVersion, EngineAdapters } from '@weir/rollout-engine';
import { alone, type Fleet } from '../fleet';
import { createAdapterBook } from './adapter-book';
import { createAdapters, type AdapterUpdate } from './adapters';

describe('an update of an adapter', () => {
  const engine: EngineAdapters = {
    areLoadable: true,
    load: () => Promise.resolve(),
    loaded: () => [],
    adopt: () => Promise.resolve(true),
    unload: () => Promise.resolve(),
  };

  /** Updates `math` once; returns what happened to running generations and what the other processes were told. */
  async function update(more: Pick<AdapterUpdate, 'in_flight'>) {
    const ended: unknown[] = [];
    const told: unknown[] = [];
    const stored = new Map<string, AdapterVersion>();
    const put = (adapter: AdapterVersion) =>
      Promise.resolve(stored.set(adapter.name, adapter).get(adapter.name) ?? adapter);
    const fleet: Fleet = {
      ...alone,
      askOthers: async (ask) => [
        await ask({
          POST: (path: string, { body }: { readonly body: unknown }) => Promise.resolve(told.push({ path, body })),
        } as unknown as Parameters<typeof ask>[0]),
      ],
    };
    const book = createAdapterBook({
      find: (name) => Promise.resolve(stored.get(name)),
      all: () => Promise.resolve([...stored.values()]),
      add: put,
      replace: put,
      remove: () => Promise.resolve(),
      loads: () => Promise.resolve([]),
      addLoad: () => Promise.resolve(),
      removeLoad: () => Promise.resolve(),
    });
    const adapters = createAdapters({
      engine,
      loaded: undefined,
      book,
      fleet,
      endThoseWith: (...given) => void ended.push(given),
    });
    await adapters.update({ adapter: 'math', file: '/adapters/math-7', version: 7, ...more });
    return { ended, told, current: await book.current('math') };
  }

  it.each([
    { in_flight: 'continue', ended: [['math', 'abort']], end: 'interrupt' },
    { in_flight: 'finish', ended: [], end: null },
    { in_flight: 'drop', ended: [['math', 'drop']], end: 'drop' },
  ] as const)(
    'has running generations $in_flight, here and in the other processes',
    async ({ in_flight, ended, end }) => {
      const body = { name: 'math', path: '/adapters/math-7', pinned: false, version: 7, end };
      expect(await update({ in_flight })).toMatchObject({
        ended,
        told: [{ path: '/replicas/adapter', body }],
        current: { version: 7, path: '/adapters/math-7' },
      });
    },
  );
});
