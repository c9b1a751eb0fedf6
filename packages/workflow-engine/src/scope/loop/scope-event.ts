import type { ProcessIdentity } from '../../model/steps/step-outcome';
import type { AttemptEnd } from './attempt-end';
import type { CheckResult } from '../../model/steps/check-result';

/** These events happen to the steps of a scope while they execute. */
export type ScopeEvent =
  | { readonly kind: 'checked'; readonly index: number; readonly result: CheckResult }
  | { readonly kind: 'process'; readonly index: number; readonly process: ProcessIdentity }
  | { readonly kind: 'end'; readonly index: number; readonly at: Date; readonly end: AttemptEnd }
  | { readonly kind: 'due'; readonly index: number }
  | { readonly kind: 'paced' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'release' };
