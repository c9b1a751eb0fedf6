import type { GroupFilter } from './grouped-workflow';

/** Rejects a group whose completed members all have the same reward: its advantages would all be 0. */
export const zeroSpread: GroupFilter = (completed) => {
  const rewards = new Set(completed.map(({ reward }) => reward));
  return rewards.size > 1 ? undefined : 'zero_spread';
};
