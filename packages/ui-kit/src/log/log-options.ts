/** The person's choice of how the lines of all logs are shown. */
export interface LogOptions {
  readonly wraps: boolean;
  readonly times: 'none' | 'relative' | 'absolute';
  /** Whether lines of JSON are shown as message and fields. */
  readonly readsJson: boolean;
}

export const defaultLogOptions: LogOptions = { wraps: true, times: 'none', readsJson: true };
