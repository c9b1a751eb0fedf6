import type { Condition, RepeatPolicy, Step } from '@weir/workflow-spec';
import type { CheckResult } from '../../model/steps/check-result';
import type { StepOutcome } from '../../model/steps/step-outcome';

export interface CheckContext {
  /** The index of the step in the plan. */
  readonly index: number;
  readonly signal: AbortSignal;
  /** The outcome of the attempt in question; missing before the first one. */
  readonly outcome?: StepOutcome;
  /** How often the step has begun until then; missing before the first attempt. */
  readonly counts?: { readonly iterations: number };
}

export type RetryLimits = { readonly limit: number; readonly intervalSec: number } | { readonly problem: string };

/** `limit` is missing where there is none. */
export type RepeatLimits =
  | { readonly limit?: number; readonly intervalSec: number; readonly maxIntervalSec?: number }
  | { readonly problem: string };

/** The checks that decide about the flow of a step. Each settles within a bounded time after the signal is aborted. */
export interface StepChecks {
  /** Whether the step may start. */
  preconditions(step: Step, context: CheckContext): Promise<CheckResult>;
  /** Whether all of these hold, checked in their order. */
  conditions(step: Step, conditions: readonly Condition[], context: CheckContext): Promise<CheckResult>;
  /** Whether one of these strings or `re:` expressions is in what the step wrote last. */
  hasWritten(step: Step, patterns: readonly string[], context: CheckContext): Promise<boolean>;
  /** The numbers of the step's retry policy, with their references replaced. */
  retryLimits(step: Step, context: CheckContext): Promise<RetryLimits>;
  /** The numbers of a repeat policy of the step, with their references replaced after an iteration. */
  repeatLimits(step: Step, policy: RepeatPolicy, context: CheckContext): Promise<RepeatLimits>;
}
