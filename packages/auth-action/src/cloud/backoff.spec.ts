import { attemptLimitMs } from './backoff';

describe('attemptLimitMs', () => {
  it.each([
    ['half of what remains', 600_000, 300_000],
    ['half of a default timeout', 60_000, 30_000],
    ['at least ten seconds', 15_000, 10_000],
    ['all of a short rest', 4000, 4000],
  ])('is %s', (_case, remainingMs, limitMs) => {
    expect(attemptLimitMs(remainingMs)).toBe(limitMs);
  });
});
