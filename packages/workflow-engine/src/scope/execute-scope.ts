import { hasStarted, type StepSnapshot } from './step-snapshot';
import { executeSteps } from './execute-steps';
import { withMaskedChanges } from '../masking/mask-outcome';
import type { Plan } from '../plan/plan';
import type { RunStatus } from '../statuses';
import type { StepOutputs } from '../outputs/step-outputs';
import type { DagRunStep, RunEnd, StepScope } from '../run-model/dag-run';
import type { JsonValue } from '@weir/workflow-spec';
import type { RunPorts } from '../run/execute-run';
import type { ReadyRun } from '../run/open-run';
import { createScopeOutputs, type ScopeOutputs, type Upstream } from '../outputs/scope-outputs';
import { createRunRecorder } from './scope-recorder';
import { withMaskedAttempts } from '../secrets/with-masked-attempts';
import { createStepChecks } from '../conditions/step-checks';
import { createStepExecutor } from '../steps/step-executor';
import { withOutputs } from '../outputs/with-outputs';

/** Steps that are carried out together: those of a DAG, a handler, or one turn of a loop. */
export interface ScopeExecution {
  readonly scope: StepScope;
  readonly plan: Plan;
  /** As they are stored, in the same order. */
  readonly steps: readonly DagRunStep[];
  /** What they may use beside each other's outputs. */
  readonly inherited?: Upstream | undefined;
  readonly maxActiveSteps: number;
  readonly delaySec?: number | undefined;
  readonly timeoutSec?: number | undefined;
  /** The end of the run that follows when the steps end so; nothing when more is to be done first. */
  readonly toRunEnd: (status: RunStatus) => RunEnd | undefined;
}

export interface ScopeEnd {
  readonly status: RunStatus;
  readonly outputs: ScopeOutputs;
  /** The places of the steps that wait for people. */
  readonly waiting: readonly number[];
  /** What was recorded about the end of the run; nothing when more is to be done first. */
  readonly runEnd: RunEnd | undefined;
}

/** Carries out steps from where they stand. */
export async function executeScope(
  dependencies: RunPorts,
  open: ReadyRun,
  execution: ScopeExecution,
): Promise<ScopeEnd> {
  const { runs, clock, timer } = dependencies;
  const { run, dag, lease, log, signal, release } = open;
  const { scope, plan, steps } = execution;
  const isResumed = steps.some((step) => hasStarted(toSnapshot(step, undefined)));
  const memos = isResumed ? await runs.readMemos(run.id, scope) : new Map<number, JsonValue>();
  const storedOutputs = isResumed ? await runs.readOutputs(run.id, scope) : new Map<number, StepOutputs>();
  const outputs = createScopeOutputs({ plan, steps, outputs: storedOutputs, inherited: execution.inherited });
  const recorder = createRunRecorder({ runs, run, lease, scope, toRunEnd: execution.toRunEnd, log });
  const executor = createStepExecutor(dependencies, open, { ...execution, outputs, memos });
  const outcome = await executeSteps({
    plan,
    executor: withMaskedAttempts(
      withOutputs(executor, { ...open, steps, outputs, evaluator: dependencies.outputEvaluator }),
      { steps, masker: open.values.masker },
    ),
    recorder: withMaskedChanges(
      {
        stepsChanged: async (changes, end) => {
          try {
            await recorder.stepsChanged(changes, end);
          } catch (error) {
            // Of a loop's turn, too, the run must not go on as if that step had failed.
            open.abandon(error);
            throw error;
          }
          outputs.applyStored(changes);
          if (scope === '') open.mailer.stepsChanged(changes);
        },
      },
      open.values.masker,
    ),
    checks: createStepChecks({ ...dependencies, ...open, steps, outputs }),
    clock,
    timer,
    signal,
    release,
    snapshots: isResumed ? steps.map((step) => toSnapshot(step, memos.get(step.position))) : undefined,
    maxActiveSteps: execution.maxActiveSteps,
    delaySec: execution.delaySec,
    timeoutSec: execution.timeoutSec,
    maxCleanUpTimeSec: dag.maxCleanUpTimeSec,
  });
  return { status: outcome.status, waiting: outcome.waiting, outputs, runEnd: recorder.end() };
}

function toSnapshot({ status, retryCount, doneCount }: DagRunStep, memo: JsonValue | undefined): StepSnapshot {
  const continues = memo !== null && typeof memo === 'object' && 'continues' in memo;
  return { status, retries: retryCount, iterations: doneCount, continues };
}
