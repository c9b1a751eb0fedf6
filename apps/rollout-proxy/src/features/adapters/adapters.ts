import type { SessionAdapter, UpdateWeightsRequest } from '@weir/rollout-contract';
import type { AdapterVersion, EngineAdapters } from '@weir/rollout-engine';
import type { Fleet } from '../fleet';
import {
  adapterDiffers,
  adapterNotMonotone,
  adaptersNotLoadable,
  adaptersNotSupported,
  adapterUnknown,
  adapterUpdating,
} from './adapter-errors';
import type { AdapterBook } from './adapter-book';
import type { AdapterHold, LoadedAdapters } from './loaded-adapters';

/** How running generations of an adapter end when it has another version; `null`: they finish with theirs. */
export type EndGenerations = 'interrupt' | 'drop' | null;

export interface AdapterUpdate extends Pick<UpdateWeightsRequest, 'version' | 'in_flight'> {
  readonly adapter: string;
  readonly file: string;
}

/** The adapters that sessions sample with. */
export interface Adapters {
  /**
   * Has the engine load an adapter, and starts a session with it, by its name. Nobody releases it meanwhile. Rejects
   * with `not_implemented` (reason `adapters_not_supported`), `conflict` (reason `adapter_differs`), `rate_limited`
   * (reason `adapters_exhausted`), or as the engine does.
   */
  during<T>(given: SessionAdapter, start: (name: string) => Promise<T>): Promise<T>;
  /** Loads another version beside the current one, then takes it for calls of all processes. */
  update(update: AdapterUpdate): Promise<{ version: number }>;
  /**
   * Unloads all versions of an adapter and forgets it. Rejects with `not_found` (reason `adapter_unknown`), `conflict`
   * (reasons `adapter_in_use`, `weights_updating`), or as the engine does: then nothing has changed.
   */
  release(name: string): Promise<void>;
  /** Takes a version that another process has stored. */
  settle(adapter: AdapterVersion, end: EndGenerations): void;
}

export interface AdaptersOptions {
  /** `undefined` for an engine without adapters. */
  readonly engine: EngineAdapters | undefined;
  readonly loaded: LoadedAdapters | undefined;
  readonly book: AdapterBook;
  readonly fleet: Fleet;
  /** See `GenerationControl`. */
  readonly endThoseWith: (adapterName: string, mode: 'abort' | 'drop') => void;
}

/** An engine has a shorter one. */
const loadDeadlineMs = 130_000;
const ends = { continue: 'interrupt', finish: null, drop: 'drop' } as const satisfies Record<string, EndGenerations>;

export function createAdapters({ engine, loaded, book, fleet, endThoseWith }: AdaptersOptions): Adapters {
  const updating = new Set<string>();
  const settle: Adapters['settle'] = (adapter, end) => {
    book.note(adapter);
    if (end !== null) endThoseWith(adapter.name, end === 'interrupt' ? 'abort' : 'drop');
  };

  const load = async ({ adapter: name, file, version }: AdapterUpdate): Promise<AdapterVersion> => {
    if (engine === undefined) throw adaptersNotSupported();
    if (!engine.areLoadable) throw adaptersNotLoadable();
    const known = await book.find(name);
    if (known?.version === version && known.path === file) return known;
    if (known !== undefined && version <= known.version) throw adapterNotMonotone(known.version);
    const next = { name, version, path: file, isPinned: known?.isPinned ?? false };
    // Beside the current one, which is unloaded after its last generation: so the maximum does not apply.
    await engine.load(next, AbortSignal.timeout(loadDeadlineMs));
    const stored = await book.replace(next);
    // Another process was faster.
    if (stored.version !== version || stored.path !== file) throw adapterNotMonotone(stored.version);
    return stored;
  };

  const use = async ({ name, path, pinned }: SessionAdapter, loaded: LoadedAdapters, hold: AdapterHold) => {
    const known = await book.find(name);
    const adapter = known ?? { name, version: 0, path, isPinned: pinned ?? false };
    if (!isSame(adapter, { path, pinned })) throw adapterDiffers(name);
    hold.needs(adapter);
    await loaded.load(adapter, AbortSignal.timeout(loadDeadlineMs));
    // Only what the engine has loaded is remembered.
    const stored = known ?? (await book.add(adapter));
    if (!isSame(stored, { path, pinned })) throw adapterDiffers(name);
  };
  /** One update or release of an adapter at a time. */
  const alone = async <T>(name: string, change: () => Promise<T>): Promise<T> => {
    if (updating.has(name)) throw adapterUpdating(name);
    updating.add(name);
    try {
      return await change();
    } finally {
      updating.delete(name);
    }
  };

  return {
    during: async (given, start) => {
      if (loaded === undefined) throw adaptersNotSupported();
      const hold = loaded.hold(given.name);
      try {
        await use(given, loaded, hold);
        return await start(given.name);
      } finally {
        hold.end();
      }
    },
    release: (name) =>
      alone(name, async () => {
        const known = await book.find(name);
        if (known === undefined || loaded === undefined) throw adapterUnknown(name);
        await loaded.assertUnused(name);
        await book.remove(name);
        try {
          // A session that found it before it was removed counts now.
          await loaded.assertUnused(name);
          await loaded.unloadAll(name, AbortSignal.timeout(loadDeadlineMs));
        } catch (error) {
          await book.add(known);
          throw error;
        }
      }),
    update: (update) =>
      alone(update.adapter, async () => {
        const { adapter: name } = update;
        const adapter = await load(update);
        const end = ends[update.in_flight];
        settle(adapter, end);
        // A repeated update tells the others again, which may not have learned of the first one.
        const { version, path = update.file, isPinned: pinned } = adapter;
        const body = { name, path, pinned, version, end };
        await fleet.askOthers((client) => client.POST('/replicas/adapter', { body }));
        return { version };
      }),
    settle,
  };
}

function isSame(adapter: AdapterVersion, { path, pinned }: Pick<SessionAdapter, 'path' | 'pinned'>): boolean {
  return (path === undefined || path === adapter.path) && (pinned === undefined || pinned === adapter.isPinned);
}
