import { AppError } from '@weir/foundation';
import type { Interaction } from '../cache/interaction';
import type { InteractionCache } from '../cache/interaction-cache';

/** How rewards propagate to earlier interactions, with one line of documentation each. */
const discountRules = {
  sum: 'Own reward plus the discount times the reward of each child.',
  mean: 'Own reward plus the discount times the mean of the rewards of the children.',
  max: 'Own reward plus the discount times the largest reward of a child.',
  linear: 'Own reward plus the discount times the reward of the call completed next, whatever its branch.',
} as const;

export type DiscountRule = keyof typeof discountRules;

export interface DiscountOptions {
  /** From 0 to 1. Default 1. */
  readonly discount?: number;
  /** Default `sum`. */
  readonly rule?: DiscountRule;
  /** Ids of interactions to omit, such as dropped retries. They must not have children. */
  readonly without?: ReadonlySet<string>;
}

export interface DiscountedReward {
  readonly reward: number;
  /** The reward as given; 0 if there is none. */
  readonly originalReward: number;
}

/**
 * Discounts the rewards of all interactions of a session over the tree. By id, in order of completion. Changes nothing,
 * so it can be repeated with another discount. Linear in the interactions.
 *
 * Fails with `invalid_request`, reason `discount_invalid`.
 */
export function discountRewards(
  cache: InteractionCache,
  options: DiscountOptions = {},
): ReadonlyMap<string, DiscountedReward> {
  const { discount = 1, rule = 'sum', without = new Set<string>() } = options;
  if (typeof discount !== 'number' || !(discount >= 0 && discount <= 1)) throw invalid('is not a number from 0 to 1');
  if (!Object.hasOwn(discountRules, rule)) throw invalid('has no rule of this name');
  const included = [...cache].filter(({ id }) => !without.has(id));
  const own = included.map(({ id }) => cache.rewards.get(id)?.reward ?? 0);
  const total =
    rule === 'linear' ? discountOverTime(own, discount) : discountOverTree(included, own, { discount, rule });
  return new Map(included.map(({ id }, at) => [id, { reward: total[at] ?? 0, originalReward: own[at] ?? 0 }] as const));
}

function discountOverTime(own: readonly number[], discount: number): Float64Array {
  const total = Float64Array.from(own);
  for (let at = total.length - 2; at >= 0; at -= 1) total[at] = (total[at] ?? 0) + discount * (total[at + 1] ?? 0);
  return total;
}

interface TreeRule {
  readonly discount: number;
  readonly rule: Exclude<DiscountRule, 'linear'>;
}

/** A parent is completed before its children start, so iterating backwards visits leaves first. */
function discountOverTree(
  included: readonly Interaction[],
  own: readonly number[],
  { discount, rule }: TreeRule,
): Float64Array {
  const indexes = new Map(included.map((interaction, at) => [interaction, at] as const));
  const total = Float64Array.from(own);
  const children = new Uint32Array(included.length);
  const fromChildren = new Float64Array(included.length);
  for (let at = included.length - 1; at >= 0; at -= 1) {
    const count = children[at] ?? 0;
    const gathered = fromChildren[at] ?? 0;
    if (count > 0) total[at] = (total[at] ?? 0) + discount * (rule === 'mean' ? gathered / count : gathered);
    const parent = included[at]?.parent;
    const parentAt = parent === undefined ? undefined : indexes.get(parent);
    if (parentAt === undefined) continue;
    const value = total[at] ?? 0;
    const before = fromChildren[parentAt] ?? 0;
    const isFirst = children[parentAt] === 0;
    fromChildren[parentAt] = rule === 'max' && !isFirst ? Math.max(before, value) : before + value;
    children[parentAt] = (children[parentAt] ?? 0) + 1;
  }
  return total;
}

const invalid = (what: string): AppError =>
  new AppError('invalid_request', `The discount ${what}.`, { reason: 'discount_invalid' });
