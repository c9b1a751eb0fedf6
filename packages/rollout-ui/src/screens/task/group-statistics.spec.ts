import { advantageOf, groupStatistics } from './group-statistics';

const group = (...rewards: readonly (number | null)[]) => groupStatistics(rewards.map((reward) => ({ reward })));

describe('a group', () => {
  it('has advantages in standard deviations from its mean', () => {
    const statistics = group(0, 2, null);
    expect(statistics).toEqual({ rewarded: 2, mean: 1, deviation: 1, hasZeroSpread: false });
    expect([advantageOf(2, statistics), advantageOf(0, statistics), advantageOf(null, statistics)]).toEqual([
      1,
      -1,
      undefined,
    ]);
  });

  it('has none if all rewards are equal', () => {
    const statistics = group(0.1, 0.1, 0.1);
    expect(statistics.hasZeroSpread).toBe(true);
    expect(advantageOf(0.1, statistics)).toBeUndefined();
  });

  it('of one sample has no spread', () => {
    expect(group(1).hasZeroSpread).toBe(false);
    expect(group()).toMatchObject({ rewarded: 0, mean: 0 });
  });
});
