import { createHash } from 'node:crypto';
import { isAppError } from '@weir/errors';
import { toNetwork } from './client-network';
import { createFailureLimit } from './failure-limit';

const windowSeconds = 15 * 60;

export interface LoginThrottle {
  /**
   * Runs one attempt for an account from an address. Throws `too_many_attempts` before it when there were too many
   * failures, otherwise passes on what `attempt` returns or throws. An `unauthenticated` error counts as a failure;
   * others, such as an unreachable database, say nothing about the caller.
   */
  guard<T>(account: string, address: string, attempt: () => Promise<T>): Promise<T>;
}

/**
 * At most 5 failures in 15 minutes for an account from one address, and 30 from one address in all; of attempts at the
 * same time at most 20 and 60.
 */
export function createLoginThrottle(): LoginThrottle {
  const pairLimit = createFailureLimit({ maxFailures: 5, windowSeconds, maxPending: 20 });
  const networkLimit = createFailureLimit({ maxFailures: 30, windowSeconds, maxPending: 60 });

  return {
    async guard(account, address, attempt) {
      const network = hashKey(toNetwork(address));
      const pair = hashKey(`${network}\n${account}`);
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
        if (isAppError(error) && error.code === 'unauthenticated')
          await Promise.all([pairLimit.recordFailure(pair), networkLimit.recordFailure(network)]);
        throw error;
      } finally {
        pairLimit.end(pair);
        networkLimit.end(network);
      }
    },
  };
}

/** Hashed, so that a key has the same small size whatever a caller sends. */
function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
