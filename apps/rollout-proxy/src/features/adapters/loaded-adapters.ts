import { engineNameOf, type AdapterVersion, type EngineAdapters } from '@weir/rollout-engine';
import { createWorkQueue } from '../../journal/work-queue';
import type { Fleet } from '../fleet';
import { isUnfinished, type SessionStore } from '../sessions';
import type { AdapterBook } from './adapter-book';
import { adapterInUse, adaptersExhausted } from './adapter-errors';
import { createOtherAdapters, type AdaptersElsewhere, type OwnAdapter } from './other-adapters';

export interface LoadedAdaptersOptions {
  readonly engine: EngineAdapters;
  readonly book: AdapterBook;
  readonly store: SessionStore;
  readonly fleet: Fleet;
  /** Versions that all processes together load at the same time; more only while one is updated. */
  readonly max: number;
  /** How long one that no session needs stays loaded. */
  readonly idleMs: number;
}

/** Keeps an adapter for a session that is being started. */
export interface AdapterHold {
  /** Which version of it is needed. */
  needs(adapter: AdapterVersion): void;
  end(): void;
}

/** The adapters in the memory of the engine: those that sessions need stay there. */
export interface LoadedAdapters {
  /** Unfinished sessions of this process, by adapter, and those that are being started. */
  sessions(): ReadonlyMap<string, number>;
  /** Names at the engine of what its sessions and running generations need. */
  inUse(): ReadonlySet<string>;
  own(): readonly OwnAdapter[];
  has(engineName: string): boolean;
  hold(name: string): AdapterHold;
  /**
   * Loads a version; makes room for it by unloading the one that no process has needed for longest. Rejects with
   * `rate_limited` (reason `adapters_exhausted`) where all are needed, and as the engine does.
   */
  load(adapter: AdapterVersion, signal: AbortSignal): Promise<void>;
  /**
   * Counts what a process that was killed has left at the engine: it is unloaded when nothing needs it. Resolves with
   * whether every server of the engine was up.
   */
  adopt(signal: AbortSignal): Promise<boolean>;
  /** Unloads earlier versions, and what was not needed for long. Resolves with the names at the engine. */
  release(signal: AbortSignal): Promise<readonly string[]>;
  /** Rejects with `conflict`, reason `adapter_in_use`, where a session or a generation of any process has it. */
  assertUnused(name: string): Promise<void>;
  /** Has all processes unload every version of an adapter, and forget it. */
  unloadAll(name: string, signal: AbortSignal): Promise<void>;
  /** Unloads in this process one version with which nothing runs, or every one; the adapter is forgotten then. */
  unloadOwn(name: string, engineName: string | null, signal: AbortSignal): Promise<void>;
}

export function createLoadedAdapters(options: LoadedAdaptersOptions): LoadedAdapters {
  const { engine, book, store, fleet, max, idleMs } = options;
  const others = createOtherAdapters(fleet);
  const holds = new Set<{ readonly name: string; engineName: string | undefined }>();
  /** A version counts for other processes before this one has counted theirs. */
  const reserved = new Set<AdapterVersion>();
  const inTurn = createWorkQueue();
  // What an engine has since its start takes no room that could be freed.
  const loaded = () => engine.loaded().filter(({ adapter }) => adapter.path !== undefined);
  const has = (engineName: string): boolean => engine.loaded().some((one) => one.engineName === engineName);
  const own = (): readonly OwnAdapter[] => [
    ...loaded().map(({ adapter: { name }, engineName, idleMs: idle }) => ({ name, engineName, idleMs: idle })),
    ...[...reserved].map((adapter) => ({ name: adapter.name, engineName: engineNameOf(adapter), idleMs: 0 })),
  ];
  const sessions = (): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const session of store.all()) {
      if (session.adapter !== undefined && isUnfinished(session)) count(session.adapter);
    }
    for (const { name } of holds) count(name);
    return counts;
  };
  const inUse = (): ReadonlySet<string> => {
    const current = [...sessions().keys()].flatMap((name) => book.known(name) ?? []);
    const running = engine.loaded().filter((one) => one.running > 0);
    return new Set([
      ...[...current, ...reserved].map(engineNameOf),
      ...running.map(({ engineName }) => engineName),
      ...[...holds].flatMap(({ engineName }) => engineName ?? []),
    ]);
  };

  /** What an engine does not unload it evicts itself; then it counts no longer. */
  const unlessCounted = (engineName: string) => (error: unknown) => {
    if (has(engineName)) throw error;
  };
  const unload = async ({ name, engineName }: Omit<OwnAdapter, 'idleMs'>, signal: AbortSignal): Promise<void> => {
    await engine.unload(engineName, signal);
    await others.unload(name, engineName);
    // A call may have loaded it again meanwhile.
    if (!has(engineName)) await book.removeLoad(engineName);
  };

  /** Unloads the one that was not used for longest by any process. */
  const makeRoom = async (elsewhere: AdaptersElsewhere, signal: AbortSignal): Promise<void> => {
    const here = inUse();
    const [victim] = elsewhere
      .mergedWith(own())
      .filter(({ engineName }) => !here.has(engineName) && !elsewhere.inUse.has(engineName))
      .sort((one, other) => other.idleMs - one.idleMs);
    if (victim === undefined) throw adaptersExhausted(max);
    await unload(victim, signal).catch(unlessCounted(victim.engineName));
  };
  const findRoom = async (adapter: AdapterVersion, signal: AbortSignal): Promise<void> => {
    const engineName = engineNameOf(adapter);
    reserved.add(adapter);
    try {
      for (;;) {
        const elsewhere = await others.read();
        // Nothing is waited for between this look and the load, which counts at once.
        if (has(engineName)) return;
        const taken = elsewhere.mergedWith(own()).filter((one) => one.engineName !== engineName);
        if (taken.length < max) return;
        // A session without an owner needs its adapter, too, which this process may not know yet.
        const gathered = await others.gather();
        for (const name of sessions().keys()) if (book.known(name) === undefined) await book.find(name);
        await makeRoom(gathered, signal);
      }
    } finally {
      reserved.delete(adapter);
    }
  };

  return {
    sessions,
    inUse,
    own,
    has,
    hold: (name) => {
      const hold = { name, engineName: undefined as string | undefined };
      holds.add(hold);
      return {
        needs: (adapter) => (hold.engineName = engineNameOf(adapter)),
        end: () => void holds.delete(hold),
      };
    },
    load: async (adapter, signal) => {
      const isCounted = adapter.path !== undefined && engine.areLoadable;
      if (!isCounted || has(engineNameOf(adapter))) return engine.load(adapter, signal);
      const { done } = await inTurn(async () => {
        await findRoom(adapter, signal);
        return { done: engine.load(adapter, signal) };
      });
      return done;
    },
    adopt: async (signal) => {
      const stored = await book.loads();
      if (stored.length === 0) return true;
      const isWhole = await engine.adopt(stored, signal);
      // Which of them are earlier versions is known by the current ones.
      for (const name of new Set(stored.map((adapter) => adapter.name))) await book.find(name);
      if (!isWhole) return false;
      const elsewhere = await others.read();
      const gone = stored.map(engineNameOf).filter((name) => !has(name) && elsewhere.idleMsOf(name) === Infinity);
      for (const engineName of gone) await book.removeLoad(engineName);
      return true;
    },
    release: async (signal) => {
      const here = inUse();
      const isDue = ({ adapter, engineName, idleMs: idle }: ReturnType<typeof loaded>[number]): boolean =>
        !here.has(engineName) && (isEarlier(adapter, book) || idle >= idleMs);
      const due = loaded().filter(isDue);
      if (due.length === 0) return [];
      const elsewhere = await others.read();
      const released: string[] = [];
      for (const { adapter, engineName } of due) {
        const isNeeded = elsewhere.inUse.has(engineName) || inUse().has(engineName);
        const isFresh = elsewhere.idleMsOf(engineName) < idleMs && !isEarlier(adapter, book);
        if (isNeeded || isFresh) continue;
        await unload({ name: adapter.name, engineName }, signal);
        released.push(engineName);
      }
      return released;
    },
    assertUnused: async (name) => {
      const elsewhere = await others.gather();
      const here = inUse();
      const isNeeded = ({ name: one, engineName }: OwnAdapter): boolean =>
        one === name && (here.has(engineName) || elsewhere.inUse.has(engineName));
      const count = (sessions().get(name) ?? 0) + elsewhere.sessionsOf(name);
      if (count > 0 || elsewhere.mergedWith(own()).some(isNeeded)) throw adapterInUse(name);
    },
    unloadAll: async (name, signal) => {
      const elsewhere = await others.read();
      const versions = elsewhere.mergedWith(own()).filter((one) => one.name === name);
      for (const { engineName } of versions) await engine.unload(engineName, signal);
      await others.unload(name, null);
      for (const { engineName } of versions) if (!has(engineName)) await book.removeLoad(engineName);
      book.forget(name);
    },
    unloadOwn: async (name, engineName, signal) => {
      const versions = own().filter((one) => one.name === name && (engineName ?? one.engineName) === one.engineName);
      for (const version of versions) {
        await engine.unload(version.engineName, signal).catch(unlessCounted(version.engineName));
      }
      if (engineName === null) book.forget(name);
    },
  };
}

function isEarlier({ name, version }: AdapterVersion, book: AdapterBook): boolean {
  const current = book.known(name);
  return current !== undefined && current.version > version;
}
