import { createHash } from 'node:crypto';
import { isAppError } from '@weir/errors';
import { networkOf } from './client-network';
import { createFailureLimit } from './failure-limit';

const windowSeconds = 15 * 60;

export interface LoginThrottle {
  /**
   * Runs one attempt for an account from an address. Throws `too_many_attempts` before it when there were too many
   * failures, otherwise passes on what `attempt` returns or throws. An `unauthenticated` error counts as a failure;
   * others, of a database that is away for example, say nothing about the caller.
   */
  guard<T>(account: string, address: string, attempt: () => Promise<T>): Promise<T>;
}

/**
 * At most 5 failures in 15 minutes for an account from one address, and 30 from one address in all; of attempts at the
 * same time at most 20 and 60.
 */
export function createLoginThrottle(): LoginThrottle {
  const ofPair = createFailureLimit({ maxFailures: 5, windowSeconds, maxUnderWay: 20 });
  const ofAddress = createFailureLimit({ maxFailures: 30, windowSeconds, maxUnderWay: 60 });

  return {
    async guard(account, address, attempt) {
      const network = keyOf(networkOf(address));
      const pair = keyOf(`${network}\n${account}`);
      await ofPair.assertFewFailures(pair);
      await ofAddress.assertFewFailures(network);
      // From here to the second `enter` nothing waits, or a burst would pass the checks before it is counted.
      ofPair.assertRoom(pair);
      ofAddress.assertRoom(network);
      ofPair.enter(pair);
      ofAddress.enter(network);
      try {
        const result = await attempt();
        await ofPair.forgive(pair);
        return result;
      } catch (error) {
        if (isAppError(error) && error.code === 'unauthenticated')
          await Promise.all([ofPair.noteFailure(pair), ofAddress.noteFailure(network)]);
        throw error;
      } finally {
        ofPair.leave(pair);
        ofAddress.leave(network);
      }
    },
  };
}

/** Hashed, so that a key has the same small size whatever a caller sends. */
function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
