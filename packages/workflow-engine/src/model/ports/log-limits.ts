/** Limits the size of logs, and decides what happens to a step that writes more. */
export interface LogLimits {
  /** Limits each log of a step. */
  readonly maxBytes: number;
  /** Limits all logs of the steps of a run together. */
  readonly maxRunBytes: number;
  /** `drop`: the step continues without its further output. `fail`: it is ended and fails. */
  readonly onExceeded: 'drop' | 'fail';
}

/** The limits as they apply to one run. */
export interface LogLimit extends Pick<LogLimits, 'onExceeded'> {
  /** Cuts those of the files that are too large, and returns whether there are any. */
  cut(files: readonly string[]): boolean;
}
