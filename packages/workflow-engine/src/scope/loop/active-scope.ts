import { AppError } from '@weir/foundation';
import type { JsonValue } from '@weir/workflow-spec';
import type { ScopeOutputs, Upstream } from '../../values/outputs/scope-outputs';
import type { Plan } from '../../model/plan/plan';
import type { DagRunStep, RunEnd, StepScope } from '../../model/run-model/dag-run';
import type { RunStatus } from '../../model/statuses/run-status';
import type { RunValues } from '../../values/run-values/run-values';

/** Steps to execute together: those of a DAG, of a handler, or of one iteration of a loop. */
export interface ScopeRequest {
  readonly scope: StepScope;
  readonly plan: Plan;
  /** As they are stored, in the order of the plan. */
  readonly steps: readonly DagRunStep[];
  readonly values: RunValues;
  /** Aborted when the end of these steps is requested. */
  readonly stop: AbortSignal;
  /** The steps may use these in addition to each other's outputs. */
  readonly inherited?: Upstream | undefined;
  /** 0 is no limit. */
  readonly maxActiveSteps: number;
  readonly delaySec?: number | undefined;
  readonly timeoutSec?: number | undefined;
  /** The end of the run that is stored with the last step; missing when more follows. */
  readonly toRunEnd?: (status: RunStatus) => RunEnd | undefined;
}

/** A scope whose steps execute. */
export interface ActiveScope extends ScopeRequest {
  readonly outputs: ScopeOutputs;
  /** Composite steps stored these before the run was resumed, by position. */
  readonly memos: ReadonlyMap<number, JsonValue>;
}

export interface ScopeEnd {
  readonly status: RunStatus;
  readonly outputs: ScopeOutputs;
  /** The positions of the steps that wait for people. */
  readonly waiting: readonly number[];
  /** The end of the run that was stored with the last step, if any. */
  readonly runEnd: RunEnd | undefined;
}

export function getStoredStep({ steps }: Pick<ScopeRequest, 'steps'>, index: number): DagRunStep {
  const stored = steps[index];
  if (stored === undefined) throw new AppError('internal', `The scope has no step ${index}.`);
  return stored;
}
