import { createHash } from 'node:crypto';
import { AppError } from '@weir/errors';
import type { Logger } from '@weir/service-kit';
import type { DurableMap } from '../../journal/durable-map';
import type { Seal } from './seal';

export interface StoredAnswer {
  readonly fingerprint: string;
  /** Missing where the answer is made again instead of being kept. */
  readonly sealed?: string;
}

export interface IdempotentRequest {
  readonly caller: { readonly idempotencyKey: string | undefined };
  /** Under which name keys of this caller are told apart from those of others. Default: the admin's. */
  readonly owner?: string;
  readonly operation: string;
  /** What a repeat must be equal in. */
  readonly request: unknown;
  /** For answers too large to keep: a repeat does the work again, which must then come out the same. */
  readonly isRecomputed?: boolean;
}

export interface IdempotentAnswers {
  /**
   * Does the work, or gives the answer that it had under the same idempotency key; a repeat that comes while the first
   * is under way waits for that, or does it too where answers are made again. A failure is not kept. Rejects with `conflict`, reason `idempotency_key_reused`.
   */
  once<T>(request: IdempotentRequest, work: () => Promise<T>): Promise<T>;
}

export interface IdempotentAnswersOptions {
  readonly stored: DurableMap<StoredAnswer>;
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
    const before = stored.get(id);
    if (before !== undefined) {
      assertSame(before.fingerprint, fingerprint);
      const answer = before.sealed === undefined ? undefined : seal.open(before.sealed);
      // What was sealed is what this operation answered before.
      if (answer !== undefined) return answer as T;
    }
    const answer = await work();
    const isStored = request.isRecomputed !== true;
    const answerToStore = { fingerprint, ...(isStored && { sealed: seal.seal(answer) }) };
    // The work is done: a failure as the answer would only make the caller ask for it a second time.
    await stored.set(id, answerToStore, nowMs() + retentionMs).catch((error: unknown) => {
      logger.warn({ operation: request.operation, error }, 'an answer could not be kept');
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
        // The same operation with the same request, so the same kind of answer. What is made again anyway is not shared:
        // it ends when the client leaves for whom it is made.
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
