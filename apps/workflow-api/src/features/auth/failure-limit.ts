import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooManyAttempts } from './auth-errors';

export interface FailureLimitOptions {
  readonly maxFailures: number;
  readonly windowSeconds: number;
  /** Attempts whose outcome is not known yet; without a bound a burst gets past before its first failure is noted. */
  readonly maxUnderWay: number;
}

export type FailureLimit = ReturnType<typeof createFailureLimit>;

/** Counts failures and attempts under way by key, in memory. */
export function createFailureLimit({ maxFailures, windowSeconds, maxUnderWay }: FailureLimitOptions) {
  const failures = new RateLimiterMemory({ points: maxFailures, duration: windowSeconds });
  const underWay = new Map<string, number>();
  return {
    async assertFewFailures(key: string): Promise<void> {
      const state = await failures.get(key);
      if (state !== null && state.consumedPoints >= maxFailures) throw tooManyAttempts(state.msBeforeNext / 1000);
    },

    assertRoom(key: string): void {
      if ((underWay.get(key) ?? 0) >= maxUnderWay) throw tooManyAttempts(1);
    },

    enter(key: string): void {
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
    },

    leave(key: string): void {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    },

    async noteFailure(key: string): Promise<void> {
      await failures.penalty(key);
    },

    async forgive(key: string): Promise<void> {
      await failures.delete(key);
    },
  };
}
