import type { ServiceStatus } from '@weir/rollout-contract';
import type { Limits, Prices } from '../../config';
import type { CapacityLedger } from '../capacity';
import type { Fleet } from '../fleet';
import type { Digests, Session, SessionStore } from '../sessions';
import type { EngineGate, WeightVersion } from '../system';
import { sumUsage } from './model-usage';

export interface StatusSources {
  readonly store: SessionStore;
  readonly ledger: CapacityLedger;
  readonly engine: EngineGate;
  readonly weightVersion: WeightVersion;
  readonly digests: Digests;
  readonly modelName: string;
  readonly notReady: () => string | undefined;
  readonly startedAtMs: number;
  readonly nowMs: () => number;
  readonly limits: Limits;
  readonly prices: Prices;
  readonly capacity: number;
  readonly fleet: Fleet;
}

const minuteMs = 60_000;

export async function presentStatus(sources: StatusSources): Promise<ServiceStatus> {
  const { store, ledger, engine, weightVersion, limits } = sources;
  const all = store.all();
  const statuses = all.map((session) => session.status());
  return {
    model: sources.modelName,
    not_ready: sources.notReady() ?? null,
    started_at: new Date(sources.startedAtMs).toISOString(),
    version: engine.version,
    pending_version: weightVersion.stored.pending ?? null,
    paused: engine.isPaused,
    running_generations: engine.running,
    capacity: sources.capacity,
    unused_grants: await ledger.unused(),
    unfinished_sessions: store.unfinished(),
    sessions: all.length,
    max_sessions: limits.sessions,
    bytes: statuses.reduce((sum, { bytes }) => sum + bytes, 0),
    max_bytes: limits.bytes,
    sampled_tokens: statuses.reduce((sum, { sampledTokens }) => sum + sampledTokens, 0),
    tokens_last_minute: countSince(all, sources.nowMs() - minuteMs),
    replicas: [...(await sources.fleet.replicas())],
    versions: countVersions(all, sources.digests),
    models: sumUsage(
      all.map((session) => {
        const { reward = null, models } = sources.digests.ofSession(session);
        return { reward, models: [...models.values()] };
      }),
      sources.prices,
    ),
  };
}

/** Looks only into sessions that were used since. */
function countSince(all: readonly Session[], sinceMs: number): number {
  return all
    .filter((session) => session.status().lastUsedAtMs >= sinceMs)
    .flatMap((session) => [...session.cache])
    .filter(({ completedAt }) => completedAt.getTime() >= sinceMs)
    .reduce((sum, { sampled }) => sum + sampled.ids.length, 0);
}

function countVersions(all: readonly Session[], digests: Digests): ServiceStatus['versions'] {
  const counts = new Map<number, number>();
  // An adapter counts its own versions.
  for (const session of all.filter(({ adapter }) => adapter === undefined)) {
    for (const [version, tokens] of digests.ofSession(session).tokensByVersion) {
      counts.set(version, (counts.get(version) ?? 0) + tokens);
    }
  }
  return [...counts]
    .map(([version, tokens]) => ({ version, tokens }))
    .sort((one, other) => other.version - one.version);
}
