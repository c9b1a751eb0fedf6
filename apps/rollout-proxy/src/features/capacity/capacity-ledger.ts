import { randomUUID } from 'node:crypto';
import { AppError } from '@weir/errors';
import type { DurableMap } from '../../journal/durable-map';

/** A grant that a session is being started with. */
export interface ClaimedGrant {
  readonly id: string;
  /** The session is up: its place is counted by itself from now on. */
  consume(): Promise<void>;
  /** The session did not come up. */
  release(): void;
}

export interface CapacityLedger {
  /** Reserves a place; how many grants are unused now. Rejects with `rate_limited`, reason `capacity_exhausted`. */
  grant(): Promise<number>;
  /** Throws `rate_limited`, reason `capacity_not_granted`. */
  claim(): ClaimedGrant;
  /** A restored session was started with this grant. */
  discard(grantId: string): Promise<void>;
  readonly unused: () => number;
}

export interface CapacityLedgerOptions {
  readonly limit: number;
  readonly grantMs: number;
  readonly nowMs: () => number;
  readonly grants: DurableMap<true>;
  /** Asked each time, never counted along: what is not counted cannot leak. */
  readonly unfinishedSessions: () => number;
}

const retryAfterSeconds = 1;

/** Places are taken by unused grants and by unfinished sessions, and by nothing else. */
export function createCapacityLedger(options: CapacityLedgerOptions): CapacityLedger {
  const { limit, grantMs, nowMs, grants, unfinishedSessions } = options;
  const claimed = new Set<string>();

  return {
    unused: () => grants.size() - claimed.size,
    grant: async () => {
      if (grants.size() + unfinishedSessions() >= limit) {
        throw new AppError('rate_limited', `All ${limit} places are taken by grants and unfinished sessions.`, {
          reason: 'capacity_exhausted',
          details: { retryAfterSeconds, limit },
        });
      }
      await grants.set(randomUUID(), true, nowMs() + grantMs);
      return grants.size() - claimed.size;
    },
    discard: (grantId) => grants.delete(grantId),
    claim: () => {
      const id = grants.keys().find((key) => !claimed.has(key));
      if (id === undefined) {
        throw new AppError('rate_limited', 'No capacity is granted for another session.', {
          reason: 'capacity_not_granted',
          details: { retryAfterSeconds },
        });
      }
      claimed.add(id);
      return {
        id,
        release: () => void claimed.delete(id),
        consume: async () => {
          claimed.delete(id);
          await grants.delete(id);
        },
      };
    },
  };
}
