import type { ServiceStatus } from '@weir/rollout-contract';

/** Merges the statuses of several processes into one. Weights, grants and capacity are common to all of them. */
export function addStatuses(own: ServiceStatus, others: readonly ServiceStatus[]): ServiceStatus {
  const all = [own, ...others];
  const sum = (read: (status: ServiceStatus) => number): number => all.reduce((total, one) => total + read(one), 0);
  return {
    ...own,
    running_generations: sum((status) => status.running_generations),
    unfinished_sessions: sum((status) => status.unfinished_sessions),
    sessions: sum((status) => status.sessions),
    bytes: sum((status) => status.bytes),
    max_bytes: sum((status) => status.max_bytes),
    sampled_tokens: sum((status) => status.sampled_tokens),
    tokens_last_minute: sum((status) => status.tokens_last_minute),
    versions: addVersions(all.flatMap(({ versions }) => versions)),
  };
}

function addVersions(all: ServiceStatus['versions']): ServiceStatus['versions'] {
  const tokens = new Map<number, number>();
  for (const one of all) tokens.set(one.version, (tokens.get(one.version) ?? 0) + one.tokens);
  return [...tokens]
    .map(([version, count]) => ({ version, tokens: count }))
    .sort((one, other) => other.version - one.version);
}
