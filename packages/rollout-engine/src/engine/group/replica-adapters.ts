import { AppError } from '@weir/foundation';
import type { LoadedAdapter } from '../http/server-adapters';
import type { AdapterVersion } from '../port/inference-engine';
import { isUnreachable, type ReplicaState } from './replica-state';

/** The adapters of all servers of an engine. A server loads one that it lacks before its first generation. */
export interface EngineAdapters {
  /** Rejects unless every server that answers has it. Servers that are down load it when they need it. */
  load(adapter: AdapterVersion, signal: AbortSignal): Promise<void>;
  /** What servers have loaded, as far as this process knows; of several servers the latest use counts. */
  loaded(): readonly LoadedAdapter[];
  /**
   * Finds out which of these adapters the servers have, and counts them as loaded. Resolves with whether every server
   * is up; rejects if one that is up does not say it.
   */
  adopt(adapters: readonly AdapterVersion[], signal: AbortSignal): Promise<boolean>;
  /** Unloads it at every server at which nothing runs with it. */
  unload(engineName: string, signal: AbortSignal): Promise<void>;
  /** Whether servers load adapters while they run. */
  readonly areLoadable: boolean;
}

export function createReplicaAdapters(states: readonly ReplicaState[]): EngineAdapters {
  const servers = states.map(({ engine }) => engine.adapters);
  return {
    load: async (adapter, signal) => {
      const reached = states.filter(({ isUp }) => isUp);
      const results = await Promise.allSettled(reached.map(({ engine }) => engine.adapters.load(adapter, signal)));
      signal.throwIfAborted();
      const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
      const refused = failures.find((error) => !isUnreachable(error));
      if (refused === undefined && failures.length < reached.length) return;
      throw refused ?? failures[0] ?? noServer();
    },
    loaded: () => {
      const merged = new Map<string, LoadedAdapter>();
      for (const next of servers.flatMap((server) => server.loaded())) {
        const before = merged.get(next.engineName);
        const running = next.running + (before?.running ?? 0);
        merged.set(next.engineName, { ...next, running, idleMs: Math.min(next.idleMs, before?.idleMs ?? Infinity) });
      }
      return [...merged.values()];
    },
    adopt: async (adapters, signal) => {
      const reached = states.filter(({ isUp }) => isUp);
      await settleAll(reached.map(({ engine }) => engine.adapters.adopt(adapters, signal)));
      return reached.length === states.length;
    },
    unload: (engineName, signal) => settleAll(servers.map((server) => server.unload(engineName, signal))),
    areLoadable: states.every(({ engine }) => engine.areAdaptersLoadable),
  };
}

/** Waits for all, and then rejects as the first that failed. */
async function settleAll(all: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(all)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason as Error;
}

function noServer(): AppError {
  return new AppError('unavailable', 'No inference engine is healthy.', { reason: 'no_healthy_replica' });
}
