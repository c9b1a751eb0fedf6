import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { isAppError } from '@weir/foundation';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooManyAttempts } from './auth-errors';

const windowSeconds = 15 * 60;
const groupsOfNetwork = 4;

export interface LoginThrottle {
  /**
   * Runs one attempt for an account from an address. Throws `too_many_attempts` before it when there were too many
   * failures, otherwise passes on what `attempt` returns or throws. An `unauthenticated` error counts as a failure,
   * unless it only asks for the code of a second factor; other errors, such as an unreachable database, say nothing
   * about the caller.
   */
  guard<T>(account: string, address: string, attempt: () => Promise<T>): Promise<T>;

  /**
   * Like `guard` for a secret that is too long to be guessed: who has it is let in, whatever others at the same address
   * have sent. `attempt` is told whether a failure will be answered with `too_many_attempts`.
   */
  count<T>(account: string, address: string, attempt: (isOver: boolean) => Promise<T>): Promise<T>;
}

/**
 * Allows 5 failures in 15 minutes for an account from one address, and 30 from one address in all. At most 20 and 60
 * attempts may be pending at the same time.
 */
export function createLoginThrottle(): LoginThrottle {
  const pairLimit = createFailureLimit({ maxFailures: 5, windowSeconds, maxPending: 20 });
  const networkLimit = createFailureLimit({ maxFailures: 30, windowSeconds, maxPending: 60 });

  return {
    async guard(account, address, attempt) {
      const { network, pair } = keysOf(account, address);
      await pairLimit.assertFewFailures(pair);
      await networkLimit.assertFewFailures(network);
      // From here to the second `enter` nothing waits, or a burst would pass the checks before it is counted.
      pairLimit.assertPendingBelowLimit(pair);
      networkLimit.assertPendingBelowLimit(network);
      pairLimit.begin(pair);
      networkLimit.begin(network);
      try {
        const result = await attempt();
        await pairLimit.reset(pair);
        return result;
      } catch (error) {
        if (isFailure(error)) await Promise.all([pairLimit.recordFailure(pair), networkLimit.recordFailure(network)]);
        throw error;
      } finally {
        pairLimit.end(pair);
        networkLimit.end(network);
      }
    },

    async count(account, address, attempt) {
      const { network, pair } = keysOf(account, address);
      const seconds = (await pairLimit.secondsLeft(pair)) ?? (await networkLimit.secondsLeft(network));
      try {
        return await attempt(seconds !== undefined);
      } catch (error) {
        if (!isFailure(error)) throw error;
        if (seconds !== undefined) throw tooManyAttempts(seconds);
        await Promise.all([pairLimit.recordFailure(pair), networkLimit.recordFailure(network)]);
        throw error;
      }
    },
  };
}

function isFailure(error: unknown): boolean {
  return isAppError(error) && error.code === 'unauthenticated' && error.reason !== 'code_required';
}

function keysOf(account: string, address: string) {
  const network = hashKey(toNetwork(address));
  return { network, pair: hashKey(`${network}\n${account}`) };
}

/** Hashes the key, so that it stays small whatever a caller sends. */
function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

interface FailureLimitOptions {
  readonly maxFailures: number;
  readonly windowSeconds: number;
  /** Limits the attempts whose outcome is not known yet, or a burst would pass before its first failure is counted. */
  readonly maxPending: number;
}

/** Counts failures and concurrent attempts by key, in memory. */
function createFailureLimit({ maxFailures, windowSeconds, maxPending }: FailureLimitOptions) {
  const failures = new RateLimiterMemory({ points: maxFailures, duration: windowSeconds });
  const pending = new Map<string, number>();
  const secondsLeft = async (key: string): Promise<number | undefined> => {
    const state = await failures.get(key);
    return state !== null && state.consumedPoints >= maxFailures ? state.msBeforeNext / 1000 : undefined;
  };
  return {
    /** Until failures are forgotten; undefined as long as there are few. */
    secondsLeft,

    async assertFewFailures(key: string): Promise<void> {
      const seconds = await secondsLeft(key);
      if (seconds !== undefined) throw tooManyAttempts(seconds);
    },

    assertPendingBelowLimit(key: string): void {
      if ((pending.get(key) ?? 0) >= maxPending) throw tooManyAttempts(1);
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

/**
 * Failures are counted by an IPv4 address, or by the /64 network of an IPv6 address: one client commonly owns all of
 * that network and could take a new address for each attempt.
 */
export function toNetwork(address: string): string {
  const [bare = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return address;
  const [head = [], tail = []] = bare.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = bare.includes('::') ? Array<string>(groupsOfNetwork).fill('0') : [];
  const groups = [...head, ...zeros.slice(0, 8 - head.length - tail.length), ...tail].slice(0, groupsOfNetwork);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
