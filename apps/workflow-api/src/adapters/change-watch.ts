export interface ChangeWatchOptions {
  /** Returns another value after each change; undefined where that is not known. */
  readonly readRevision: () => string | undefined;
  /** How long nothing may be taken for unchanged: what is read may also depend on the time. */
  readonly longestMs: number;
  readonly now: () => number;
}

/** Returns whether there may be something new since it last returned true. */
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
