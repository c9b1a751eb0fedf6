import { AppError } from '@weir/foundation';

export interface GivenReward {
  readonly reward: number;
  /** 1 for the first reward of an interaction, plus 1 for each correction. */
  readonly revision: number;
}

/** The rewards of the interactions of one session. Later ones replace earlier ones. */
export interface RewardLedger {
  /** How many interactions have a reward. */
  readonly size: number;
  get(id: string): GivenReward | undefined;
  /**
   * Sets the reward of an interaction. Fails with `invalid_request` (reason `reward_invalid`) for anything but a number
   * that is finite as a float32, and `not_found` (reason `unknown_interaction`).
   */
  set(id: string, reward: unknown): GivenReward;
  /**
   * Sets the reward of the last completed interaction, and returns its id. Fails like `set`, and with `conflict` (reason
   * `no_interactions`) when there is none.
   */
  setLast(reward: unknown): GivenReward & { readonly id: string };
  /** Sets all rewards, by interaction id, or none. Fails like `set`. */
  setAll(rewards: Readonly<Record<string, unknown>>): void;
}

interface RewardTargets {
  has(id: string): boolean;
  lastId(): string | undefined;
}

export function createRewardLedger(targets: RewardTargets): RewardLedger {
  const rewards = new Map<string, GivenReward>();
  const check = (id: string, reward: unknown): number => {
    if (!targets.has(id)) {
      throw new AppError('not_found', 'There is no completed interaction with this id.', {
        reason: 'unknown_interaction',
      });
    }
    return checkReward(reward);
  };
  const set = (id: string, reward: unknown): GivenReward => {
    const given = { reward: check(id, reward), revision: (rewards.get(id)?.revision ?? 0) + 1 };
    rewards.set(id, given);
    return given;
  };
  return {
    get size() {
      return rewards.size;
    },
    get: (id) => rewards.get(id),
    set,
    setLast: (reward) => {
      const id = targets.lastId();
      if (id === undefined) {
        throw new AppError('conflict', 'No interaction was completed yet.', { reason: 'no_interactions' });
      }
      return { id, ...set(id, reward) };
    },
    setAll: (given) => {
      const entries = Object.entries(given);
      for (const [id, reward] of entries) check(id, reward);
      for (const [id, reward] of entries) set(id, reward);
    },
  };
}

// Trainers use float32: 1e300 is finite only as a double.
function checkReward(reward: unknown): number {
  if (typeof reward !== 'number' || !Number.isFinite(Math.fround(reward))) {
    throw new AppError('invalid_request', 'The reward is not a finite number.', { reason: 'reward_invalid' });
  }
  return reward;
}
