import { isApiError, type ApiClient } from '@weir/api-client';
import type { AdaptersResponse } from '@weir/rollout-contract';
import type { Paths } from '@weir/rollout-contract/paths';
import type { Fleet } from '../fleet';

/** A version that this process has loaded, or is about to load. */
export interface OwnAdapter {
  readonly name: string;
  readonly engineName: string;
  readonly idleMs: number;
}

/** What the other processes need and have loaded. */
export interface AdaptersElsewhere {
  readonly inUse: ReadonlySet<string>;
  sessionsOf(name: string): number;
  /** Since its last use by one of them; infinite where none has it. */
  idleMsOf(engineName: string): number;
  /** Their versions and those of this process, each once, with its last use by any of them. */
  mergedWith(own: readonly OwnAdapter[]): OwnAdapter[];
}

/** Asks the other processes about adapters. All rejections are `unavailable`. */
export interface OtherAdapters {
  read(): Promise<AdaptersElsewhere>;
  /** The same, and every session has an owner then. */
  gather(): Promise<AdaptersElsewhere>;
  /** Has them unload a version, or all of an adapter, which they forget then. */
  unload(name: string, engineName: string | null): Promise<void>;
}

export function createOtherAdapters(fleet: Pick<Fleet, 'askOthers' | 'gather'>): OtherAdapters {
  return {
    read: async () => toElsewhere(await fleet.askOthers(listAdapters)),
    gather: async () => toElsewhere(await fleet.gather(listAdapters)),
    unload: async (name, engineName) => {
      const body = { name, engine_name: engineName };
      await fleet.askOthers((client) =>
        client.POST('/replicas/adapter_unload', { body }).catch((error: unknown) => {
          // A replica of an earlier version unloads what it has by itself.
          if (!isApiError(error) || error.status !== 404) throw error;
        }),
      );
    },
  };
}

/** Asks one process for what it has. */
export async function listAdapters(client: ApiClient<Paths>): Promise<AdaptersResponse> {
  return { ...withoutLoaded, ...(await client.GET('/adapters')).data };
}

/** A replica of an earlier version does not say it. */
const withoutLoaded = { loaded: [] };

function toElsewhere(answers: readonly AdaptersResponse[]): AdaptersElsewhere {
  const loaded = answers
    .flatMap((answer) => answer.loaded)
    .map(({ name, engine_name: engineName, idle_seconds: idle }) => ({ name, engineName, idleMs: idle * 1_000 }));
  const adapters = answers.flatMap((answer) => answer.adapters);
  const idleMsOf = (engineName: string): number =>
    Math.min(...loaded.filter((one) => one.engineName === engineName).map(({ idleMs }) => idleMs));
  return {
    inUse: new Set(answers.flatMap((answer) => answer.in_use)),
    sessionsOf: (name) =>
      adapters.filter((adapter) => adapter.name === name).reduce((sum, { sessions }) => sum + sessions, 0),
    idleMsOf,
    mergedWith: (own) => {
      const merged = new Map([...loaded, ...own].map((one) => [one.engineName, one]));
      return [...merged.values()].map((one) => ({
        ...one,
        idleMs: Math.min(one.idleMs, idleMsOf(one.engineName)),
      }));
    },
  };
}
