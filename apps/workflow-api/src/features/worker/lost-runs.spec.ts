import { computeClaimDelayMs } from './lost-runs';

describe('computeClaimDelayMs', () => {
  it('doubles with every claim, up to a minute', () => {
    expect([1, 2, 3, 6, 7, 50, 5_000].map(computeClaimDelayMs)).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
    ]);
  });
});
