/** What one check of an installation found. `warning`: it works, but not as well as it could. */
export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'failed';
  /** What was found, and what to do about it. */
  readonly detail: string;
}
