export type Schedule =
  | {
      readonly kind: 'cron';
      readonly expression: string;
      /** The name of the calendar that decides which days count. */
      readonly calendar?: string;
      /** The business days of the month that count, from 1, or from -1 for the last one. Default: all. */
      readonly businessDays?: readonly number[];
      /** The name of the profile that its runs get. Default: the default profile. */
      readonly profile?: string;
    }
  /** `at` is RFC 3339 with an offset. */
  | { readonly kind: 'at'; readonly at: string; readonly profile?: string };

/** Decides what happens to an occurrence that is due while a run of the DAG is active. */
export type OverlapPolicy = 'skip' | 'all' | 'latest';
