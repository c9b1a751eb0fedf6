import { engineNameOf, type AdapterVersion, type EngineAdapters } from '@weir/rollout-engine';
import { alone, type Fleet } from '../fleet';
import type { Session, SessionStore } from '../sessions';
import { createAdapterBook, type AdapterBook } from './adapter-book';
import type { AdapterStore } from './adapter-store';
import { createLoadedAdapters, type LoadedAdapters } from './loaded-adapters';

const adapter = (name: string, version = 0): AdapterVersion => ({ name, version, path: `/${name}`, isPinned: false });
const nameOf = (name: string, version = 0): string => engineNameOf(adapter(name, version));
const neverAborted = new AbortController().signal;

describe('adapters in the memory of an engine', () => {
  let inMemory: Map<string, { adapter: AdapterVersion; running: number; idleMs: number }>;
  let sessions: { adapter: string; state: 'active' | 'ended' }[];
  let inUseElsewhere: string[];
  /** Loaded by another process, with its idle time in seconds. */
  let loadedElsewhere: Map<string, number>;
  let toldElsewhere: unknown[];
  let loads: AdapterVersion[];
  let served: string[];
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
    adopt: async (adapters) => {
      for (const one of adapters) {
        if (served.includes(engineNameOf(one)))
          inMemory.set(engineNameOf(one), { adapter: one, running: 0, idleMs: 0 });
      }
      return Promise.resolve(true);
    },
    unload: async (engineName) => {
      inMemory.delete(engineName);
      await Promise.resolve();
      if (failsToUnload) throw new Error('It was evicted.');
    },
  };
  const store = {
    all: () => sessions.map(({ adapter: name, state }) => ({ adapter: name, status: () => ({ state }) })),
  } as unknown as SessionStore & { all: () => readonly Session[] };
  const askOthers: Fleet['askOthers'] = async (ask) => [
    await ask({
      GET: () => Promise.resolve({ data: answerElsewhere() }),
      POST: (_path: string, { body }: { readonly body: { readonly engine_name: string } }) => {
        toldElsewhere.push(body);
        return Promise.resolve(loadedElsewhere.delete(body.engine_name));
      },
    } as unknown as Parameters<typeof ask>[0]),
  ];
  const fleet: Fleet = { ...alone, askOthers, gather: askOthers };
  const answerElsewhere = () => ({
    adapters: [],
    in_use: inUseElsewhere,
    loaded: [...loadedElsewhere].map(([engineName, idle]) => ({
      name: engineName.split('-')[0],
      engine_name: engineName,
      idle_seconds: idle,
    })),
  });
  const stored: AdapterStore = {
    find: (name) => Promise.resolve(name === 'elsewhere' ? adapter(name) : undefined),
    all: () => Promise.resolve([]),
    add: (given) => Promise.resolve(given),
    replace: (given) => Promise.resolve(given),
    remove: () => Promise.resolve(),
    loads: () => Promise.resolve(loads),
    addLoad: () => Promise.resolve(),
    removeLoad: async (engineName) => {
      loads = loads.filter((one) => engineNameOf(one) !== engineName);
      await Promise.resolve();
    },
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
    loadedElsewhere = new Map();
    toldElsewhere = [];
    loads = [];
    served = [];
    failsToUnload = false;
    book = createAdapterBook(stored);
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

  it('stay while a session needs them that this process has taken over', async () => {
    add('here');
    loadedElsewhere.set(nameOf('elsewhere'), 900);
    sessions = ['here', 'elsewhere'].map((name) => ({ adapter: name, state: 'active' as const }));
    await expect(load('new')).rejects.toMatchObject({ reason: 'adapters_exhausted' });
    expect(toldElsewhere).toEqual([]);
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

  it('are counted together with those of other processes, which make room, too', async () => {
    add('here', 100);
    loadedElsewhere.set(nameOf('there'), 5);
    await load('new');
    expect([names(), [...loadedElsewhere]]).toEqual([[nameOf('here'), nameOf('new')], []]);
    expect(toldElsewhere).toEqual([{ name: 'there', engine_name: nameOf('there') }]);
  });

  it('take no further room when another process has them', async () => {
    add('one');
    loadedElsewhere.set(nameOf('two'), 0);
    inUseElsewhere = [nameOf('two')];
    sessions = [{ adapter: 'one', state: 'active' }];
    await load('two');
    expect(names()).toEqual([nameOf('one'), nameOf('two')]);
  });

  it('are not released while another process has used them lately', async () => {
    add('shared', 5_000);
    loadedElsewhere.set(nameOf('shared'), 0.5);
    expect(await release()).toEqual([]);
    loadedElsewhere.set(nameOf('shared'), 2);
    expect(await release()).toEqual([nameOf('shared')]);
    expect([...loadedElsewhere]).toEqual([]);
  });

  it('stay while a session with them is being started', async () => {
    add('held', 5_000);
    const hold = loaded.hold('held');
    hold.needs(adapter('held'));
    expect(await release()).toEqual([]);
    hold.end();
    expect(await release()).toEqual([nameOf('held')]);
  });

  it('are found again where a killed process has left them, and only those', async () => {
    loads = [adapter('left', 1), adapter('left', 2), adapter('gone')];
    served = [nameOf('left', 1), nameOf('left', 2), nameOf('of-somebody-else')];
    book.note(adapter('left', 2));
    expect(await loaded.adopt(neverAborted)).toBe(true);
    expect(names()).toEqual([nameOf('left', 1), nameOf('left', 2)]);
    expect(loads.map(({ name }) => name)).toEqual(['left', 'left']);
    expect(await release()).toEqual([nameOf('left', 1)]);
  });
});
