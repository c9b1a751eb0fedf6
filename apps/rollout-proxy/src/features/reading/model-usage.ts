import type { ModelTokens, ModelUsage } from '@weir/rollout-contract';
import { findPrice, type Prices } from '../../config';

/** What a session counts in the sums by model. */
export interface SessionUsage {
  readonly reward: number | null;
  readonly models: readonly ModelTokens[];
}

type Counts = Omit<ModelUsage, 'cost'>;

const maxShown = 100;
const million = 1_000_000;

/** The sums of sessions by model. */
export function sumUsage(sessions: readonly SessionUsage[], prices: Prices): ModelUsage[] {
  const counts = sessions.flatMap(({ reward, models }) =>
    models.map((tokens) => ({ ...tokens, sessions: 1, rewarded: Number(reward !== null), reward_mean: reward })),
  );
  return addUsage(counts, prices);
}

/** Adds sums of the same models, as several processes have them. */
export function addUsage(all: readonly Counts[], prices: Prices): ModelUsage[] {
  const byModel = new Map<string, Counts>();
  for (const one of all) {
    const before = byModel.get(one.model);
    byModel.set(one.model, before === undefined ? one : addCounts(before, one));
  }
  return [...byModel.values()]
    .sort((one, other) => other.sampled_tokens - one.sampled_tokens || (one.model < other.model ? -1 : 1))
    .slice(0, maxShown)
    .map((counts) => ({ ...counts, cost: costOf(counts, prices) }));
}

function addCounts(one: Counts, other: Counts): Counts {
  const rewarded = one.rewarded + other.rewarded;
  const rewards = (one.reward_mean ?? 0) * one.rewarded + (other.reward_mean ?? 0) * other.rewarded;
  return {
    model: one.model,
    sessions: one.sessions + other.sessions,
    calls: one.calls + other.calls,
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    sampled_tokens: one.sampled_tokens + other.sampled_tokens,
    rewarded,
    reward_mean: rewarded === 0 ? null : rewards / rewarded,
  };
}

function costOf(counts: Counts, prices: Prices): number | null {
  const price = findPrice(prices, counts.model);
  if (price === undefined) return null;
  const { prompt_tokens: prompt, cached_tokens: cached, sampled_tokens: sampled } = counts;
  return ((prompt - cached) * price.input + cached * price.cachedInput + sampled * price.output) / million;
}
