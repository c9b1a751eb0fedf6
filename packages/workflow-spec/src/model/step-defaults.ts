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
}
