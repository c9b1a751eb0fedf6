import type { SessionSummary } from '@weir/rollout-contract';

/** The rewards of a group, as group-relative training sees them. */
export interface GroupStatistics {
  readonly rewarded: number;
  readonly mean: number;
  readonly deviation: number;
  /** Whether there are several rewards, and all are equal. */
  readonly hasZeroSpread: boolean;
}

export function groupStatistics(sessions: readonly Pick<SessionSummary, 'reward'>[]): GroupStatistics {
  const rewards = sessions.flatMap(({ reward }) => reward ?? []);
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / Math.max(1, rewards.length);
  const variance = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / Math.max(1, rewards.length);
  const hasZeroSpread = rewards.length > 1 && rewards.every((reward) => reward === rewards[0]);
  return { rewarded: rewards.length, mean, deviation: Math.sqrt(variance), hasZeroSpread };
}

/** How many standard deviations a reward is above the mean; `undefined` where that says nothing. */
export function advantageOf(reward: number | null, { mean, deviation, hasZeroSpread }: GroupStatistics) {
  if (reward === null || hasZeroSpread || deviation === 0) return undefined;
  return (reward - mean) / deviation;
}
