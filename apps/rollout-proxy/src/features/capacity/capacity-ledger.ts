import { randomUUID } from 'node:crypto';
import { AppError } from '@weir/foundation';
import type { DurableMap } from '../../journal/durable-map';

/** A grant that a starting session uses. */
export interface ClaimedGrant {
  readonly id: string;
  /** The session has started, and counts itself from now on. */
  consume(): Promise<void>;
  /** The session did not start. */
  release(): Promise<void>;
}

export interface CapacityLedger {
  /**
   * Reserves capacity and returns the number of unused grants. The name identifies the request, because another replica
   * may get its repeat. Rejects with `rate_limited`, reason `capacity_exhausted`.
   */
  grant(name?: string): Promise<number>;
  /** Rejects with `rate_limited`, reason `capacity_not_granted`. */
  claim(): Promise<ClaimedGrant>;
  /** Removes the grant that a restored session was started with. */
  discard(grantId: string): Promise<void>;
  readonly unused: () => Promise<number>;
}

export interface CapacityLedgerOptions {
  readonly limit: number;
  readonly grantMs: number;
  readonly nowMs: () => number;
  readonly grants: DurableMap<true>;
  /** The number is computed on each call, because a counter could leak. */
  readonly unfinishedSessions: () => number;
}

const retryAfterSeconds = 1;

/** Only unused grants and unfinished sessions use capacity. */
export function createCapacityLedger(options: CapacityLedgerOptions): CapacityLedger {
  const { limit, grantMs, nowMs, grants, unfinishedSessions } = options;
  const claimed = new Set<string>();

  return {
    unused: () => Promise.resolve(grants.size() - claimed.size),
    grant: async () => {
      if (grants.size() + unfinishedSessions() >= limit) throw capacityExhausted(limit);
      await grants.set(randomUUID(), true, nowMs() + grantMs);
      return grants.size() - claimed.size;
    },
    discard: (grantId) => grants.delete(grantId),
    claim: () => {
      const id = grants.keys().find((key) => !claimed.has(key));
      if (id === undefined) return Promise.reject(capacityNotGranted());
      claimed.add(id);
      return Promise.resolve({
        id,
        release: () => {
          claimed.delete(id);
          return Promise.resolve();
        },
        consume: async () => {
          claimed.delete(id);
          await grants.delete(id);
        },
      });
    },
  };
}

export const capacityExhausted = (limit: number) =>
  new AppError('rate_limited', `Grants and unfinished sessions use the whole capacity of ${limit}.`, {
    reason: 'capacity_exhausted',
    details: { retryAfterSeconds, limit },
  });

export const capacityNotGranted = () =>
  new AppError('rate_limited', 'No capacity is granted for another session.', {
    reason: 'capacity_not_granted',
    details: { retryAfterSeconds },
  });
