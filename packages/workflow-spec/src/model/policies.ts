/** Waits between attempts, in seconds. */
export interface Interval {
  readonly intervalSec: number;
  /** The factor, above 1, by which each wait grows. When missing, the interval is fixed. */
  readonly backoff?: number;
  /** Upper limit of a wait. */
  readonly maxIntervalSec?: number;
}

/** Retries of a whole run. Without `maxIntervalSec` no wait exceeds one hour. */
export interface DagRetryPolicy extends Interval {
  /** Maximum number of retries; 0 means none. */
  readonly limit: number;
}

/** Retries of a step. A step that timed out is not retried. */
export interface RetryPolicy extends Omit<Interval, 'intervalSec'> {
  /** Maximum number of retries; 0 means none. A string contains a reference that yields an integer when the step runs. */
  readonly limit: number | string;
  /** A string contains a reference, as in `limit`. */
  readonly intervalSec: number | string;
  /** Only these exit codes are retried. When missing, every failure is. */
  readonly exitCodes?: readonly number[];
}

export interface RepeatPolicy extends Omit<Interval, 'intervalSec' | 'maxIntervalSec'> {
  /** `while` repeats as long as the check holds, `until` stops once it holds. */
  readonly mode: 'while' | 'until';
  /**
   * The condition is checked after each iteration; it is never of kind `eval` or negated. Without it the exit codes
   * are checked; without both, whether the step succeeded, which is always mode `while`.
   */
  readonly condition?: Condition;
  /** Never given together with a condition. */
  readonly exitCodes?: readonly number[];
  /**
   * Maximum number of iterations. When missing or 0, there is no limit. A string contains a reference that yields an
   * integer after an iteration; so it does in the waits.
   */
  readonly limit?: number | string;
  readonly intervalSec: number | string;
  readonly maxIntervalSec?: number | string;
}

/** Decides when dependents of a failed or skipped step may run. */
export interface ContinueOn {
  readonly failure: boolean;
  readonly skipped: boolean;
  readonly exitCodes: readonly number[];
  /** Strings, or `re:` and a regular expression, that are searched for in the output; they have no references. */
  readonly outputs: readonly string[];
  readonly markSuccess: boolean;
}

/**
 * `command` holds when the shell command exits with 0. `text` and `eval` hold when the resolved string, for `eval`
 * after command substitution, equals `expected` or, after `re:`, matches the regular expression; `expected` may
 * contain references. `negate` inverts the result.
 */
export type Condition =
  | { readonly kind: 'command'; readonly command: string; readonly negate: boolean }
  | {
      readonly kind: 'text' | 'eval';
      readonly text: string;
      readonly expected: string;
      readonly negate: boolean;
    };
