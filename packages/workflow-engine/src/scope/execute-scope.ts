import type { Dag, JsonValue } from '@weir/workflow-spec';
import { createStepChecks, type StepChecksContext } from './conditions/create-step-checks';
import { withMaskedChanges } from '../values/masking/mask-outcome';
import { createScopeOutputs } from '../values/outputs/scope-outputs';
import type { StepOutputs } from '../model/run-model/step-outputs';
import type { Clock } from '../model/ports/clock';
import type { RunStore } from '../model/ports/run-store';
import type { Timer } from '../model/ports/timer';
import type { DagRunStep } from '../model/run-model/dag-run';
import { getStoredStep, type ActiveScope, type ScopeEnd, type ScopeRequest } from './loop/active-scope';
import { executeSteps } from './loop/step-loop';
import { createScopeRecorder, type ScopeRecorderContext } from './scope-recorder';
import { hasStarted, type StepSnapshot } from './loop/step-snapshot';
import type { StepOutcome } from '../model/steps/step-outcome';
import type { StepExecution, StepExecutor } from './loop/step-execution';
import type { RunValues } from '../values/run-values/run-values';

/** The execution of a scope needs these of its run. */
export interface ScopeContext extends ScopeRecorderContext {
  readonly ports: ScopeRecorderContext['ports'] &
    StepChecksContext['ports'] & {
      readonly runs: Pick<RunStore, 'readMemos' | 'readOutputs'>;
      readonly clock: Clock;
      readonly timer: Timer;
    };
  readonly dag: Dag;
  /** The values of the DAG; scopes may add to them. */
  readonly values: RunValues;
  /** Aborted when the run is to be released for its next owner. */
  readonly release: AbortSignal;
  /** Executes one attempt of a step, whatever its kind. */
  readonly executeStep: (execution: StepExecution) => Promise<StepOutcome>;
}

/** Executes steps from their snapshots to the end of the scope. */
export async function executeScope(context: ScopeContext, request: ScopeRequest): Promise<ScopeEnd> {
  const { ports, dag, release, values } = context;
  const { plan, steps } = request;
  const isResumed = steps.some((step) => hasStarted(toSnapshot(step, undefined)));
  const scope = await activate(context, request, isResumed);
  const recorder = createScopeRecorder(context, scope);
  const { status, waiting } = await executeSteps({
    plan,
    executor: createExecutor(context, scope),
    recorder: withMaskedChanges(recorder, values.masker),
    checks: createStepChecks(context, scope),
    clock: ports.clock,
    timer: ports.timer,
    signal: request.stop,
    release,
    snapshots: isResumed ? steps.map((step) => toSnapshot(step, scope.memos.get(step.position))) : undefined,
    maxActiveSteps: request.maxActiveSteps,
    delaySec: request.delaySec,
    timeoutSec: request.timeoutSec,
    maxCleanUpTimeSec: dag.maxCleanUpTimeSec,
  });
  return { status, waiting, outputs: scope.outputs, runEnd: recorder.end() };
}

async function activate(
  { ports: { runs }, run }: ScopeContext,
  request: ScopeRequest,
  isResumed: boolean,
): Promise<ActiveScope> {
  const { scope, plan, steps, inherited } = request;
  const memos = isResumed ? await runs.readMemos(run.id, scope) : new Map<number, JsonValue>();
  const stored = isResumed ? await runs.readOutputs(run.id, scope) : new Map<number, StepOutputs>();
  return { ...request, memos, outputs: createScopeOutputs({ plan, steps, outputs: stored, inherited }) };
}

function createExecutor(context: ScopeContext, scope: ActiveScope): StepExecutor {
  return {
    execute: async (step, attempt) => {
      const upstream = scope.outputs.findUpstream(attempt.index);
      const stored = getStoredStep(scope, attempt.index);
      return context.executeStep({ ...attempt, step, stored, scope, values: scope.values, upstream });
    },
  };
}

function toSnapshot({ status, retryCount, doneCount }: DagRunStep, memo: JsonValue | undefined): StepSnapshot {
  const continues = memo !== null && typeof memo === 'object' && 'continues' in memo;
  return { status, retries: retryCount, iterations: doneCount, continues };
}
