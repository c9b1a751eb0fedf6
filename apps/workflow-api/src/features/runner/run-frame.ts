import {
  hasBegun,
  runDag,
  withMaskedChanges,
  type Plan,
  type RunStatus,
  type Standing,
  type StepOutputs,
} from '@weir/workflow-engine';
import type { JsonValue } from '@weir/workflow-spec';
import type { DagRunStep, RunEnd, StepScope } from '../dag-runs';
import type { CarryOutDependencies } from './carry-out-run';
import type { ReadyRun } from './open-run';
import { createRunOutputs, type RunOutputs, type Upstream } from './run-outputs';
import { createRunRecorder } from './run-recorder';
import { withMaskedAttempts } from './secrets/with-masked-attempts';
import { createStepChecks } from './step-checks';
import { createStepExecutor } from './step-executor';
import { withOutputs } from './with-outputs';

/** Steps that are carried out together: those of a DAG, a handler, or one turn of a loop. */
export interface Frame {
  readonly scope: StepScope;
  readonly plan: Plan;
  /** As they are stored, in the same order. */
  readonly rows: readonly DagRunStep[];
  /** What they may use beside each other's outputs. */
  readonly base?: Upstream | undefined;
  readonly maxActiveSteps: number;
  readonly delaySec?: number | undefined;
  readonly timeoutSec?: number | undefined;
  /** The end of the run that follows when the steps end so; nothing when more is to be done first. */
  readonly endOf: (status: RunStatus) => RunEnd | undefined;
}

export interface FrameEnd {
  readonly status: RunStatus;
  readonly outputs: RunOutputs;
  /** The places of the steps that wait for people. */
  readonly waiting: readonly number[];
  /** What was recorded about the end of the run; nothing when more is to be done first. */
  readonly runEnd: RunEnd | undefined;
}

/** Carries out steps from where they stand. */
export async function runFrame(dependencies: CarryOutDependencies, open: ReadyRun, frame: Frame): Promise<FrameEnd> {
  const { runs, clock, timer } = dependencies;
  const { run, dag, lease, log, signal, leave } = open;
  const { scope, plan, rows } = frame;
  const isBegun = rows.some((row) => hasBegun(standingOf(row, undefined)));
  const memos = isBegun ? await runs.memosOf(run.id, scope) : new Map<number, JsonValue>();
  const published = isBegun ? await runs.outputsOf(run.id, scope) : new Map<number, StepOutputs>();
  const outputs = createRunOutputs({ plan, steps: rows, outputs: published, base: frame.base });
  const recorder = createRunRecorder({ runs, run, lease, scope, endOf: frame.endOf, log });
  const executor = createStepExecutor(dependencies, open, { ...frame, outputs, memos });
  const outcome = await runDag({
    plan,
    executor: withMaskedAttempts(
      withOutputs(executor, { ...open, steps: rows, outputs, evaluator: dependencies.outputEvaluator }),
      { steps: rows, masker: open.values.masker },
    ),
    recorder: withMaskedChanges(
      {
        stepsChanged: async (changes, end) => {
          try {
            await recorder.stepsChanged(changes, end);
          } catch (error) {
            // Of a loop's turn, too, the run must not go on as if that step had failed.
            open.giveUp(error);
            throw error;
          }
          outputs.stored(changes);
          if (scope === '') open.mailer.stepsChanged(changes);
        },
      },
      open.values.masker,
    ),
    checks: createStepChecks({ ...dependencies, ...open, steps: rows, outputs }),
    clock,
    timer,
    signal,
    leave,
    standings: isBegun ? rows.map((row) => standingOf(row, memos.get(row.position))) : undefined,
    maxActiveSteps: frame.maxActiveSteps,
    delaySec: frame.delaySec,
    timeoutSec: frame.timeoutSec,
    maxCleanUpTimeSec: dag.maxCleanUpTimeSec,
  });
  return { status: outcome.status, waiting: outcome.waiting, outputs, runEnd: recorder.end() };
}

function standingOf({ status, retryCount, doneCount }: DagRunStep, memo: JsonValue | undefined): Standing {
  const continues = memo !== null && typeof memo === 'object' && 'continues' in memo;
  return { status, retries: retryCount, turns: doneCount, continues };
}
