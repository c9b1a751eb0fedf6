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

/** What every step has that gives none of its own; `env` and `preconditions` come before the step's own. */
export interface StepDefaults extends Pick<Partial<Step>, PolicyNames> {
  readonly env?: readonly EnvEntry[];
}
