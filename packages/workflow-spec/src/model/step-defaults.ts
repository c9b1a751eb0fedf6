import type { EnvEntry, Step } from './step';

type PolicyNames =
  | 'preconditions'
  | 'continueOn'
  | 'retryPolicy'
  | 'repeatPolicy'
  | 'timeoutSec'
  | 'signalOnStop'
  | 'idempotent'
  | 'mailOnError';

/** Defaults of every step; `env` and `preconditions` come before the step's own. */
export interface StepDefaults extends Pick<Partial<Step>, PolicyNames> {
  readonly env?: readonly EnvEntry[];
  /** Child runs or iterations of one step at the same time. Default: 10. */
  readonly maxConcurrent?: number;
}
