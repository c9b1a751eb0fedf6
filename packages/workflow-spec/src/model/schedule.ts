export type Schedule =
  | { readonly kind: 'cron'; readonly expression: string }
  /** `at` is RFC 3339 with an offset. */
  | { readonly kind: 'at'; readonly at: string };

/** Decides what happens to an occurrence that is due while a run of the DAG is active. */
export type OverlapPolicy = 'skip' | 'all' | 'latest';
