/** How lines are shown; a person's choice for all logs. */
export interface LogOptions {
  readonly wraps: boolean;
  readonly times: 'none' | 'relative' | 'absolute';
  /** Whether lines of JSON are shown as message and fields. */
  readonly readsJson: boolean;
}

export const defaultLogOptions: LogOptions = { wraps: true, times: 'none', readsJson: true };
