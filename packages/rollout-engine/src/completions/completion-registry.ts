import { AppError } from '@weir/foundation';
import type { CompletionIdentity } from './completion';
import type { CompletionLog } from './completion-log';

/** The latest completions of a session, by the identity of their requests. */
export interface CompletionRegistry {
  /** The completion that this request repeats. Throws `conflict` for a key that was used with another body. */
  find(identity: CompletionIdentity): CompletionLog | undefined;
  /** Removed again when it fails or is aborted: it cannot answer another request then. */
  add(identity: CompletionIdentity, completion: CompletionLog): void;
}

interface Keyed {
  readonly bodyDigest: string;
  readonly completion: CompletionLog;
}

/** Retries come soon after the first attempt, so the latest completions are enough. */
export function createCompletionRegistry(maxCompletions = 16): CompletionRegistry {
  const byKey = new Map<string, Keyed>();
  const byDigest = new Map<string, CompletionLog>();
  const bound = (map: Map<string, unknown>): void => {
    const [oldest] = map.keys();
    if (map.size > maxCompletions && oldest !== undefined) map.delete(oldest);
  };
  const remove = ({ key, bodyDigest }: CompletionIdentity, completion: CompletionLog): void => {
    if (key !== undefined && byKey.get(key)?.completion === completion) byKey.delete(key);
    if (byDigest.get(bodyDigest) === completion) byDigest.delete(bodyDigest);
  };
  const reusable = (completion: CompletionLog | undefined): CompletionLog | undefined =>
    completion?.isAbandoned === true ? undefined : completion;
  return {
    find: ({ key, bodyDigest, attempt }) => {
      if (key === undefined) return attempt === 0 ? undefined : reusable(byDigest.get(bodyDigest));
      const keyed = byKey.get(key);
      if (keyed !== undefined && keyed.bodyDigest !== bodyDigest) {
        throw new AppError('conflict', 'The Idempotency-Key was used for another body.', {
          reason: 'idempotency_key_reused',
        });
      }
      return reusable(keyed?.completion);
    },
    add: (identity, completion) => {
      const { key, bodyDigest } = identity;
      if (key !== undefined) byKey.set(key, { bodyDigest, completion });
      byDigest.delete(bodyDigest);
      byDigest.set(bodyDigest, completion);
      bound(byKey);
      bound(byDigest);
      void completion.settled.then((isDone) => {
        if (!isDone) remove(identity, completion);
      });
    },
  };
}
