import { AppError } from '@weir/foundation';
import { rolloutContract, type AdaptersResponse, type AdapterSummary } from '@weir/rollout-contract';
import { engineNameOf } from '@weir/rollout-engine';
import type { Bind } from '../../bind';
import type { Fleet } from '../fleet';
import type { AdapterBook } from './adapter-book';
import type { Adapters } from './adapters';
import type { LoadedAdapters } from './loaded-adapters';
import { listAdapters } from './other-adapters';

export interface AdapterRoutesOptions {
  readonly adapters: Adapters;
  readonly adapterBook: AdapterBook;
  readonly loadedAdapters: LoadedAdapters | undefined;
  readonly fleet: Fleet;
}

export function bindAdapterRoutes(bind: Bind, { adapters, adapterBook, loadedAdapters, fleet }: AdapterRoutesOptions) {
  bind(rolloutContract.listAdapters, async ({ principal }) => {
    const own = presentAdapters(await adapterBook.all(), loadedAdapters);
    if (principal.isFromReplica) return own;
    const others = await fleet.askOthers(listAdapters);
    return others.reduce(merge, own);
  });
  bind(rolloutContract.releaseAdapter, ({ input }) => adapters.release(input.params.name));
  bind(rolloutContract.unloadReplicaAdapter, async ({ input: { body }, principal, signal }) => {
    if (!principal.isFromReplica) throw notFromReplica();
    await loadedAdapters?.unloadOwn(body.name, body.engine_name, signal);
  });
  bind(rolloutContract.settleReplicaAdapter, ({ input: { body }, principal }) => {
    if (!principal.isFromReplica) throw notFromReplica();
    const { name, version, path, pinned: isPinned, end } = body;
    adapters.settle({ name, version, path, isPinned }, end);
    return { version };
  });
}

function notFromReplica(): AppError {
  return new AppError('forbidden', 'Only another replica of the proxy may call this.', {
    reason: 'replica_mark_invalid',
  });
}

function presentAdapters(
  all: Awaited<ReturnType<AdapterBook['all']>>,
  loaded: LoadedAdapters | undefined,
): AdaptersResponse {
  const sessions = loaded?.sessions();
  const adapters = all.map((adapter): AdapterSummary => {
    const engineName = engineNameOf(adapter);
    return {
      name: adapter.name,
      version: adapter.version,
      path: adapter.path ?? null,
      pinned: adapter.isPinned,
      sessions: sessions?.get(adapter.name) ?? 0,
      engine_name: engineName,
      loaded: loaded?.has(engineName) ?? false,
    };
  });
  return {
    adapters: adapters.sort((one, other) => (one.name < other.name ? -1 : 1)),
    in_use: [...(loaded?.inUse() ?? [])].sort(),
    loaded: (loaded?.own() ?? []).map(({ name, engineName, idleMs }) => ({
      name,
      engine_name: engineName,
      idle_seconds: idleMs / 1_000,
    })),
  };
}

/** Versions and paths are those of the process that was asked. */
function merge(own: AdaptersResponse, other: AdaptersResponse): AdaptersResponse {
  const elsewhere = new Map(other.adapters.map((adapter) => [adapter.name, adapter]));
  return {
    adapters: own.adapters.map((adapter) => {
      const same = elsewhere.get(adapter.name);
      if (same === undefined) return adapter;
      return { ...adapter, sessions: adapter.sessions + same.sessions, loaded: adapter.loaded || same.loaded };
    }),
    in_use: [...new Set([...own.in_use, ...other.in_use])].sort(),
    loaded: mergeLoaded([...own.loaded, ...other.loaded]),
  };
}

/** Each version once, with its last use by any process. */
function mergeLoaded(all: AdaptersResponse['loaded']): AdaptersResponse['loaded'] {
  const latest = all.toSorted((one, next) => next.idle_seconds - one.idle_seconds);
  return [...new Map(latest.map((one) => [one.engine_name, one])).values()];
}
