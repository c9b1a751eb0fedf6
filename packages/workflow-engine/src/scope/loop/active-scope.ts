import { AppError } from '@weir/foundation';
import type { JsonValue } from '@weir/workflow-spec';
import { createScopeOutputs, type ScopeOutputs, type Upstream } from '../../values/outputs/scope-outputs';
import type { Plan } from '../../model/plan/plan';
import type { RunStore } from '../../model/ports/run-store';
import type { DagRun, DagRunStep, RunEnd, StepScope } from '../../model/run-model/dag-run';
import type { RunStatus } from '../../model/statuses/run-status';
import type { RunValues } from '../../values/run-values/run-values';
import { hasStarted, type StepSnapshot } from './step-snapshot';

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
  /** The stored state of each step, when one of them has started before. */
  readonly snapshots: readonly StepSnapshot[] | undefined;
}

export interface ScopeEnd {
  readonly status: RunStatus;
  readonly outputs: ScopeOutputs;
  /** The positions of the steps that wait for people. */
  readonly waiting: readonly number[];
  /** The end of the run that was stored with the last step, if any. */
  readonly runEnd: RunEnd | undefined;
}

export interface StoredScopeSource {
  readonly ports: { readonly runs: Pick<RunStore, 'readMemos' | 'readOutputs'> };
  readonly run: Pick<DagRun, 'id'>;
}

/** Reads what is stored of the steps, unless none of them has started. */
export async function openScope({ ports, run }: StoredScopeSource, request: ScopeRequest): Promise<ActiveScope> {
  const { scope, plan, steps, inherited } = request;
  if (!steps.some((step) => hasStarted(toSnapshot(step, undefined)))) {
    const outputs = createScopeOutputs({ plan, steps, outputs: new Map(), inherited });
    return { ...request, memos: new Map(), outputs, snapshots: undefined };
  }
  const memos = await ports.runs.readMemos(run.id, scope);
  const stored = await ports.runs.readOutputs(run.id, scope);
  const outputs = createScopeOutputs({ plan, steps, outputs: stored, inherited });
  return { ...request, memos, outputs, snapshots: steps.map((step) => toSnapshot(step, memos.get(step.position))) };
}

function toSnapshot({ status, retryCount, doneCount }: DagRunStep, memo: JsonValue | undefined): StepSnapshot {
  const continues = memo !== null && typeof memo === 'object' && 'continues' in memo;
  return { status, retries: retryCount, iterations: doneCount, continues };
}

export function getStoredStep({ steps }: Pick<ScopeRequest, 'steps'>, index: number): DagRunStep {
  const stored = steps[index];
  if (stored === undefined) throw new AppError('internal', `The scope has no step ${index}.`);
  return stored;
}
