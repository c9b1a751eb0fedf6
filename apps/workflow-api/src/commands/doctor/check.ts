/** The result of one check of an installation. `warning`: it works, but not as well as it could. */
export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'failed';
  /** Describes the result, and how to fix it. */
  readonly detail: string;
}
