import { engineNameOf, type AdapterVersion, type EngineAdapters } from '@weir/rollout-engine';
import { alone, type Fleet } from '../fleet';
import type { Session, SessionStore } from '../sessions';
import { createAdapterBook, type AdapterBook } from './adapter-book';
import { createLoadedAdapters, type LoadedAdapters } from './loaded-adapters';

const adapter = (name: string, version = 0): AdapterVersion => ({ name, version, path: `/${name}`, isPinned: false });
const nameOf = (name: string, version = 0): string => engineNameOf(adapter(name, version));
const neverAborted = new AbortController().signal;

describe('adapters in the memory of an engine', () => {
  let inMemory: Map<string, { adapter: AdapterVersion; running: number; idleMs: number }>;
  let sessions: { adapter: string; state: 'active' | 'ended' }[];
  let inUseElsewhere: string[];
  let failsToUnload: boolean;
  let book: AdapterBook;
  let loaded: LoadedAdapters;

  const engine: EngineAdapters = {
    areLoadable: true,
    load: async (given) => {
      inMemory.set(engineNameOf(given), { adapter: given, running: 0, idleMs: 0 });
      await Promise.resolve();
    },
    loaded: () => [...inMemory].map(([engineName, entry]) => ({ engineName, ...entry })),
    unload: async (engineName) => {
      inMemory.delete(engineName);
      await Promise.resolve();
      if (failsToUnload) throw new Error('It was evicted.');
    },
  };
  const store = {
    all: () => sessions.map(({ adapter: name, state }) => ({ adapter: name, status: () => ({ state }) })),
  } as unknown as SessionStore & { all: () => readonly Session[] };
  const fleet: Fleet = {
    ...alone,
    askOthers: async (ask) => [
      await ask({ GET: () => Promise.resolve({ data: { in_use: inUseElsewhere } }) } as unknown as Parameters<
        typeof ask
      >[0]),
    ],
  };
  /** In memory for so long, without a session. */
  const add = (name: string, idleMs = 0, version = 0) => {
    inMemory.set(nameOf(name, version), { adapter: adapter(name, version), running: 0, idleMs });
    book.note(adapter(name, version));
  };

  beforeEach(() => {
    inMemory = new Map();
    sessions = [];
    inUseElsewhere = [];
    failsToUnload = false;
    book = createAdapterBook({
      find: () => Promise.resolve(undefined),
      all: () => Promise.resolve([]),
      add: (given) => Promise.resolve(given),
      replace: (given) => Promise.resolve(given),
    });
    loaded = createLoadedAdapters({ engine, book, store, fleet, max: 2, idleMs: 1_000 });
  });
  const load = (name: string) => loaded.load(adapter(name), neverAborted);
  const release = () => loaded.release(neverAborted);
  const names = () => [...inMemory.keys()].sort();

  it('make room for another one: the one that was not used for longest is unloaded', async () => {
    add('old', 500);
    add('older', 700);
    await load('new');
    expect(names()).toEqual([nameOf('new'), nameOf('old')]);
  });

  it('make room also where the engine has evicted the one that is unloaded', async () => {
    add('one');
    add('two');
    failsToUnload = true;
    await load('new');
    expect(names()).toHaveLength(2);
  });

  it('stay while sessions need them, here or in another process', async () => {
    add('here', 900);
    add('elsewhere', 900);
    sessions = [{ adapter: 'here', state: 'active' }];
    inUseElsewhere = [nameOf('elsewhere')];
    await expect(load('new')).rejects.toMatchObject({ code: 'rate_limited', reason: 'adapters_exhausted' });
    inUseElsewhere = [];
    await load('new');
    expect(names()).toEqual([nameOf('here'), nameOf('new')]);
  });

  it('take no further room when they are there', async () => {
    add('one');
    add('two');
    sessions = ['one', 'two'].map((name) => ({ adapter: name, state: 'active' as const }));
    await load('two');
    expect(names()).toEqual([nameOf('one'), nameOf('two')]);
  });

  it('are never more than the maximum when several are loaded together', async () => {
    await Promise.allSettled(['a', 'b', 'c', 'd'].map(load));
    expect(names()).toHaveLength(2);
  });

  it('are released once no session has needed them for the idle time', async () => {
    add('fresh', 999);
    add('idle', 1_000);
    add('needed', 5_000);
    sessions = [
      { adapter: 'needed', state: 'active' },
      { adapter: 'idle', state: 'ended' },
    ];
    expect(await release()).toEqual([nameOf('idle')]);
    expect(names()).toEqual([nameOf('fresh'), nameOf('needed')]);
  });

  it('are released at once in an earlier version, but not before its last generation', async () => {
    add('math', 0, 1);
    add('math', 0, 2);
    sessions = [{ adapter: 'math', state: 'active' }];
    const earlier = inMemory.get(nameOf('math', 1));
    if (earlier !== undefined) earlier.running = 1;
    expect(await release()).toEqual([]);
    if (earlier !== undefined) earlier.running = 0;
    expect(await release()).toEqual([nameOf('math', 1)]);
  });

  it('are not released while another process needs them', async () => {
    add('idle', 9_000);
    inUseElsewhere = [nameOf('idle')];
    expect(await release()).toEqual([]);
    expect(names()).toEqual([nameOf('idle')]);
  });
});
