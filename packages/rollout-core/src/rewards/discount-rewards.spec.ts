import fc from 'fast-check';
import { createInteractionCache } from '../cache/interaction-cache';
import { aChain, aDraft, sessions } from '../cache/testing/session-builder';
import { discountRewards, type DiscountOptions } from './discount-rewards';

/** A→{B, C}, with the rewards 1 of B and 2 of C. */
function aBranch() {
  const cache = createInteractionCache();
  const parent = cache.add(aDraft());
  for (const reward of [1, 2]) cache.rewards.set(cache.add(aDraft({ parent })).id, reward);
  return cache;
}

const listRewards = (cache: ReturnType<typeof createInteractionCache>, options: DiscountOptions) =>
  [...discountRewards(cache, options).values()].map(({ reward }) => reward);

describe('discountRewards', () => {
  it('assigns r, d·r and d²·r to a chain of three with the reward r at its end', () => {
    const cache = createInteractionCache();
    aChain(cache, 3);
    cache.rewards.setLast(8);
    expect(listRewards(cache, { discount: 0.5 })).toEqual([2, 4, 8]);
  });

  it.each([
    ['sum', [1.5, 1, 2]],
    ['mean', [0.75, 1, 2]],
    ['max', [1, 1, 2]],
    ['linear', [1, 2, 2]],
  ] as const)('computes the share of a parent of two branches by %s', (rule, expected) => {
    expect(listRewards(aBranch(), { discount: 0.5, rule })).toEqual(expected);
  });

  it('chooses the larger of two negative rewards by max', () => {
    const cache = createInteractionCache();
    const parent = cache.add(aDraft());
    for (const reward of [-3, -2]) cache.rewards.set(cache.add(aDraft({ parent })).id, reward);
    expect(listRewards(cache, { rule: 'max' })).toEqual([-2, -3, -2]);
  });

  it('sums over the tree without discount by default', () => {
    expect(listRewards(aBranch(), {})).toEqual([3, 1, 2]);
  });

  it('keeps the original rewards, 0 where none was given, and can be repeated', () => {
    const cache = aBranch();
    const original = () => [...discountRewards(cache, { discount: 0.9 }).values()].map((one) => one.originalReward);
    expect(original()).toEqual([0, 1, 2]);
    expect(original()).toEqual([0, 1, 2]);
    expect(listRewards(cache, { discount: 0.5 })).toEqual([1.5, 1, 2]);
  });

  it('does not apply the reward of a branch to its sibling', () => {
    const cache = aBranch();
    const [, first] = [...cache];
    expect(discountRewards(cache).get(first?.id ?? '')).toEqual({ reward: 1, originalReward: 1 });
  });

  it('omits the given interactions', () => {
    const cache = aBranch();
    expect(listRewards(cache, { without: new Set([cache.last?.id ?? '']) })).toEqual([1, 1]);
  });

  it('handles a chain of 3,000 calls', () => {
    const cache = createInteractionCache();
    aChain(cache, 3000);
    cache.rewards.setLast(1);
    expect(listRewards(cache, { discount: 1 })).toEqual(Array.from({ length: 3000 }, () => 1));
  });

  it.each([[-0.1], [1.1], [Number.NaN], [Infinity]])('refuses a discount of %p', (discount) => {
    const invalid = expect.objectContaining({ code: 'invalid_request', reason: 'discount_invalid' }) as Error;
    expect(() => discountRewards(aBranch(), { discount })).toThrow(invalid);
  });

  it('is, in any forest, the reward of a call plus the discounted ones of its children', () => {
    const discounts = fc.constantFrom(0, 0.25, 0.5, 1);
    fc.assert(
      fc.property(sessions, discounts, (cache, discount) => {
        const rewards = discountRewards(cache, { discount });
        for (const interaction of cache) {
          const children = [...cache].filter(({ parent }) => parent === interaction);
          const expected = children.reduce(
            (sum, { id }) => sum + discount * (rewards.get(id)?.reward ?? Number.NaN),
            cache.rewards.get(interaction.id)?.reward ?? 0,
          );
          expect(rewards.get(interaction.id)?.reward).toBeCloseTo(expected, 9);
        }
      }),
    );
  });
});
