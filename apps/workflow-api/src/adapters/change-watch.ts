export interface ChangeWatchOptions {
  /** Returns another value after each change, or `undefined` where changes cannot be detected. */
  readonly readRevision: () => string | undefined;
  /** After this time a change is assumed, because what is read may also depend on the time. */
  readonly longestMs: number;
  readonly now: () => number;
}

/** The returned function returns whether something may have changed since it last returned true. */
export function createChangeWatch({ readRevision, longestMs, now }: ChangeWatchOptions): () => boolean {
  let known: string | undefined;
  let changedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const revision = readRevision();
    if (revision !== undefined && revision === known && now() - changedAt < longestMs) return false;
    known = revision;
    changedAt = now();
    return true;
  };
}
