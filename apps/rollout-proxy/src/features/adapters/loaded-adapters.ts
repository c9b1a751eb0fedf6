import { engineNameOf, type AdapterVersion, type EngineAdapters } from '@weir/rollout-engine';
import type { Fleet } from '../fleet';
import { isUnfinished, type SessionStore } from '../sessions';
import type { AdapterBook } from './adapter-book';
import { adaptersExhausted } from './adapter-errors';

export interface LoadedAdaptersOptions {
  readonly engine: EngineAdapters;
  readonly book: AdapterBook;
  readonly store: SessionStore;
  readonly fleet: Fleet;
  /** Versions that this process loads at the same time; more only while one is updated. */
  readonly max: number;
  /** How long one that no session needs stays loaded. */
  readonly idleMs: number;
}

/** The adapters in the memory of the engine: those that sessions need stay there. */
export interface LoadedAdapters {
  /** Unfinished sessions of this process, by adapter. */
  sessions(): ReadonlyMap<string, number>;
  /** Names at the engine of what its sessions and running generations need. */
  inUse(): ReadonlySet<string>;
  has(engineName: string): boolean;
  /**
   * Loads a version; makes room for it by unloading the one that no process has needed for longest. Rejects with
   * `rate_limited` (reason `adapters_exhausted`) where all are needed, and as the engine does.
   */
  load(adapter: AdapterVersion, signal: AbortSignal): Promise<void>;
  /** Unloads earlier versions, and what was not needed for long. Resolves with the names at the engine. */
  release(signal: AbortSignal): Promise<readonly string[]>;
}

export function createLoadedAdapters(options: LoadedAdaptersOptions): LoadedAdapters {
  const { engine, book, store, fleet, max, idleMs } = options;
  // What an engine has since its start takes no room that could be freed.
  const loaded = () => engine.loaded().filter(({ adapter }) => adapter.path !== undefined);
  const has = (engineName: string): boolean => engine.loaded().some((one) => one.engineName === engineName);
  const sessions = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const session of store.all()) {
      if (session.adapter === undefined || !isUnfinished(session)) continue;
      counts.set(session.adapter, (counts.get(session.adapter) ?? 0) + 1);
    }
    return counts;
  };
  const inUse = (): ReadonlySet<string> => {
    const current = [...sessions().keys()].flatMap((name) => book.known(name) ?? []).map(engineNameOf);
    const running = engine.loaded().filter((one) => one.running > 0);
    return new Set([...current, ...running.map(({ engineName }) => engineName)]);
  };
  const inUseElsewhere = async (): Promise<ReadonlySet<string>> => {
    const answers = await fleet.askOthers(async (client) => (await client.GET('/adapters')).data.in_use);
    return new Set(answers.flat());
  };

  /** Unloads the one that was not used for longest. */
  const makeRoom = async (signal: AbortSignal): Promise<void> => {
    const elsewhere = await inUseElsewhere();
    const here = inUse();
    const [victim] = loaded()
      .filter(({ engineName }) => !here.has(engineName) && !elsewhere.has(engineName))
      .sort((one, other) => other.idleMs - one.idleMs);
    if (victim === undefined) throw adaptersExhausted(max);
    await engine.unload(victim.engineName, signal).catch((error: unknown) => {
      // What an engine does not unload it evicts itself; then it counts no longer.
      if (has(victim.engineName)) throw error;
    });
  };

  return {
    sessions,
    inUse,
    has,
    load: async (adapter, signal) => {
      const isCounted = adapter.path !== undefined && engine.areLoadable;
      // Nothing is waited for between the last look and the load, which counts at once.
      while (isCounted && !has(engineNameOf(adapter)) && loaded().length >= max) await makeRoom(signal);
      await engine.load(adapter, signal);
    },
    release: async (signal) => {
      const here = inUse();
      const isDue = ({ adapter, engineName, idleMs: idle }: ReturnType<typeof loaded>[number]): boolean => {
        const current = book.known(adapter.name);
        const isEarlier = current !== undefined && current.version > adapter.version;
        return !here.has(engineName) && (isEarlier || idle >= idleMs);
      };
      const due = loaded().filter(isDue);
      if (due.length === 0) return [];
      const elsewhere = await inUseElsewhere();
      const released: string[] = [];
      for (const { engineName } of due) {
        if (elsewhere.has(engineName) || inUse().has(engineName)) continue;
        await engine.unload(engineName, signal);
        released.push(engineName);
      }
      return released;
    },
  };
}
