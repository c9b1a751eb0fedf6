import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooManyAttempts } from './auth-errors';

interface FailureLimitOptions {
  readonly maxFailures: number;
  readonly windowSeconds: number;
  /** Attempts whose outcome is not known yet; without a bound a burst gets past before its first failure is noted. */
  readonly maxPending: number;
}

/** Counts failures and concurrent attempts by key, in memory. */
export function createFailureLimit({ maxFailures, windowSeconds, maxPending: maxUnderWay }: FailureLimitOptions) {
  const failures = new RateLimiterMemory({ points: maxFailures, duration: windowSeconds });
  const pending = new Map<string, number>();
  return {
    async assertFewFailures(key: string): Promise<void> {
      const state = await failures.get(key);
      if (state !== null && state.consumedPoints >= maxFailures) throw tooManyAttempts(state.msBeforeNext / 1000);
    },

    assertPendingBelowLimit(key: string): void {
      if ((pending.get(key) ?? 0) >= maxUnderWay) throw tooManyAttempts(1);
    },

    begin(key: string): void {
      pending.set(key, (pending.get(key) ?? 0) + 1);
    },

    end(key: string): void {
      const remaining = (pending.get(key) ?? 1) - 1;
      if (remaining === 0) pending.delete(key);
      else pending.set(key, remaining);
    },

    async recordFailure(key: string): Promise<void> {
      await failures.penalty(key);
    },

    async reset(key: string): Promise<void> {
      await failures.delete(key);
    },
  };
}
