import { EpisodeError } from './outcome';

/** The result of `run` as rewards to set. */
export type GivenRewards =
  | { readonly kind: 'none' }
  | { readonly kind: 'last'; readonly reward: number }
  | { readonly kind: 'named'; readonly rewards: ReadonlyMap<string, number> };

/**
 * A number rewards the last interaction, as does a boolean: true is 1, false is 0. An object rewards the interactions that
 * it names. `undefined` and `null` set nothing. Throws `reward_invalid` for anything else.
 */
export function readReward(returned: unknown): GivenRewards {
  if (returned === undefined || returned === null) return { kind: 'none' };
  if (isPlainObject(returned)) {
    const rewards = new Map(Object.entries(returned).map(([id, reward]) => [id, toNumber(reward)] as const));
    return { kind: 'named', rewards };
  }
  return { kind: 'last', reward: toNumber(returned) };
}

/** Throws `reward_unknown_interaction` for an id of no interaction. */
export function checkNamed(rewards: ReadonlyMap<string, number>, interactionIds: readonly string[]): void {
  const unknown = [...rewards.keys()].find((id) => !interactionIds.includes(id));
  if (unknown === undefined) return;
  throw new EpisodeError('reward_unknown_interaction', `The episode has no interaction "${unknown.slice(0, 100)}".`);
}

function toNumber(value: unknown): number {
  const number = typeof value === 'boolean' ? Number(value) : value;
  // Checked as a trainer gets it.
  if (typeof number === 'number' && Number.isFinite(Math.fround(number))) return number;
  throw new EpisodeError(
    'reward_invalid',
    'The agent returned no reward: a finite number, a boolean, or an object of them by id.',
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  // `Object.prototype` is no measure: an object from another process or context has another one.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
