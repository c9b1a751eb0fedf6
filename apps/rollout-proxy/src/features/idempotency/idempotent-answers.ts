import { createHash } from 'node:crypto';
import { AppError } from '@weir/foundation';
import type { Logger } from '@weir/service-kit';
import type { DurableMap } from '../../journal/durable-map';
import type { Seal } from './seal';

export interface StoredAnswer {
  readonly fingerprint: string;
  /** Missing where the answer is computed again instead of being stored. */
  readonly sealed?: string;
}

/** Stores answers until they expire; beyond 10,000 the oldest ones are dropped. */
export interface AnswerStore {
  get(id: string): Promise<StoredAnswer | undefined>;
  /** Resolves once it is stored. */
  set(id: string, answer: StoredAnswer, expiresAtMs: number): Promise<void>;
}

/** Answers in a file of this process. */
export function toAnswerStore(map: DurableMap<StoredAnswer>): AnswerStore {
  return { get: (id) => Promise.resolve(map.get(id)), set: (...entry) => map.set(...entry) };
}

export interface IdempotentRequest {
  readonly caller: { readonly idempotencyKey: string | undefined };
  /** The namespace of the key. Default: the admin's. */
  readonly owner?: string;
  readonly operation: string;
  /** The part that must be equal in a repeated request. */
  readonly request: unknown;
  /** Set for answers too large to store: a repeated request executes the work again, which must be deterministic. */
  readonly isRecomputed?: boolean;
}

export interface IdempotentAnswers {
  /**
   * Executes the work, or returns the stored answer for the same idempotency key. A repeated request waits for the first
   * one while that is running, unless answers are recomputed. Failures are not stored. Rejects with `conflict`, reason
   * `idempotency_key_reused`.
   */
  once<T>(request: IdempotentRequest, work: () => Promise<T>): Promise<T>;
}

export interface IdempotentAnswersOptions {
  readonly stored: AnswerStore;
  readonly seal: Seal;
  readonly retentionMs: number;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

interface RunningRequest {
  readonly fingerprint: string;
  readonly answer: Promise<unknown>;
}

export function createIdempotentAnswers(options: IdempotentAnswersOptions): IdempotentAnswers {
  const { stored, seal, retentionMs, nowMs, logger } = options;
  const running = new Map<string, RunningRequest>();

  const executeOnce = async <T>(
    id: string,
    fingerprint: string,
    request: IdempotentRequest,
    work: () => Promise<T>,
  ) => {
    const before = await stored.get(id);
    if (before !== undefined) {
      assertSame(before.fingerprint, fingerprint);
      const answer = before.sealed === undefined ? undefined : seal.open(before.sealed);
      // The sealed value is an earlier answer of this operation.
      if (answer !== undefined) return answer as T;
    }
    const answer = await work();
    const isStored = request.isRecomputed !== true;
    const answerToStore = { fingerprint, ...(isStored && { sealed: seal.seal(answer) }) };
    // The work is done: failing now would only make the caller repeat it.
    await stored.set(id, answerToStore, nowMs() + retentionMs).catch((error: unknown) => {
      logger.warn({ operation: request.operation, error }, 'an answer could not be stored');
    });
    return answer;
  };

  return {
    once: async <T>(request: IdempotentRequest, work: () => Promise<T>) => {
      const { idempotencyKey } = request.caller;
      if (idempotencyKey === undefined) return work();
      const id = digest([request.owner ?? 'admin', idempotencyKey]);
      const fingerprint = digest([request.operation, request.request]);
      const first = running.get(id);
      if (first !== undefined) {
        assertSame(first.fingerprint, fingerprint);
        // The same operation and request, so the same type of answer. Recomputed answers are not shared: they end when
        // their client disconnects.
        if (request.isRecomputed !== true) return first.answer as Promise<T>;
      }
      const answer = executeOnce(id, fingerprint, request, work);
      running.set(id, { fingerprint, answer });
      try {
        return await answer;
      } finally {
        if (running.get(id)?.answer === answer) running.delete(id);
      }
    },
  };
}

function assertSame(before: string, now: string): void {
  if (before === now) return;
  throw new AppError('conflict', 'The idempotency key was used for another request.', {
    reason: 'idempotency_key_reused',
  });
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
