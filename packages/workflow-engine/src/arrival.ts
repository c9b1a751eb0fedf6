import type { StopReason } from './run-tally';
import type { AttemptEnd } from './step-attempt';
import type { CheckResult } from './step-checks';
import type { ProcessIdentity } from './step-ports';

/** What a run that goes on is told. */
export type Arrival =
  | { readonly kind: 'checked'; readonly index: number; readonly result: CheckResult }
  | { readonly kind: 'process'; readonly index: number; readonly process: ProcessIdentity }
  | { readonly kind: 'end'; readonly index: number; readonly at: Date; readonly end: AttemptEnd }
  | { readonly kind: 'due'; readonly index: number }
  | { readonly kind: 'paced' }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'leave' };
