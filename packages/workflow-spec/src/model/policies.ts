/** Waiting times between tries, in seconds. */
export interface Interval {
  readonly intervalSec: number;
  /** The factor by which each wait is longer than the one before; more than 1. Missing is a fixed interval. */
  readonly backoff?: number;
  /** No wait is longer. */
  readonly maxIntervalSec?: number;
}

/** Runs after a failed one. A longest wait that is missing is one hour. */
export interface DagRetryPolicy extends Interval {
  /** Most retries; 0 is none. */
  readonly limit: number;
}

/** Tries of a step after the first; a step that times out is never tried again. */
export interface RetryPolicy extends Omit<Interval, 'intervalSec'> {
  /** Most tries after the first; 0 is none. A text holds a reference and gives a whole number when the step runs. */
  readonly limit: number | string;
  /** A text holds a reference, as in `limit`. */
  readonly intervalSec: number | string;
  /** Only these codes are tried again; missing means any failure. */
  readonly exitCodes?: readonly number[];
}

export interface RepeatPolicy extends Interval {
  /** `while`: goes on as long as the check holds; `until`: ends once it holds. */
  readonly mode: 'while' | 'until';
  /**
   * What is checked after each turn, never of kind `eval` or negated. Without it the exit codes are checked, and
   * without both whether the step succeeded, which is always of mode `while`.
   */
  readonly condition?: Condition;
  /** Never given together with a condition. */
  readonly exitCodes?: readonly number[];
  /** Most turns; missing is no limit. */
  readonly limit?: number;
}

/** When dependents of a step that was not fine may run all the same. */
export interface ContinueOn {
  readonly failure: boolean;
  readonly skipped: boolean;
  readonly exitCodes: readonly number[];
  /** Texts, or `re:` and a regular expression, looked for in the output; without references. */
  readonly outputs: readonly string[];
  readonly markSuccess: boolean;
}

/**
 * A gate. `command`: holds when the shell command exits with 0. `text` and `eval`: holds when the resolved text, for
 * `eval` with command substitution, is `expected`, which is exact or `re:` and a regular expression; it may hold
 * references. `negate` turns the answer around.
 */
export type Condition =
  | { readonly kind: 'command'; readonly command: string; readonly negate: boolean }
  | {
      readonly kind: 'text' | 'eval';
      readonly text: string;
      readonly expected: string;
      readonly negate: boolean;
    };
