import { AppError } from '@weir/errors';
import { processActions, withinTimeLimit, type StepExecutor, type StepOutcome } from '@weir/workflow-engine';
import type { JsonValue, Step } from '@weir/workflow-spec';
import type { DagRunStep } from '../dag-runs';
import { actionCall } from './action-call';
import type { CarryOutDependencies } from './carry-out-run';
import { runChildren } from './children/run-children';
import { runForeach } from './foreach/run-foreach';
import { keepPreviousLogs } from './keep-previous-logs';
import type { ReadyRun } from './open-run';
import { chooseRoutes } from './router/choose-routes';
import type { Frame } from './run-frame';
import type { RunOutputs } from './run-outputs';
import { stepCommand, type StepCommandOptions } from './step-command';

export interface ExecutedFrame extends Frame {
  readonly outputs: RunOutputs;
  /** What steps that are made of others kept when the run was taken up. */
  readonly memos: ReadonlyMap<number, JsonValue>;
}

/** A step that is carried out, with everything around it. */
export interface ExecutedStep {
  readonly step: Step;
  readonly files: DagRunStep;
  readonly place: StepCommandOptions;
  readonly frame: ExecutedFrame;
  /** Counts from 1. */
  readonly attempt: number;
  readonly turn: number;
  readonly signal: AbortSignal;
}

/** Steps that are made of others, or need nothing but a decision. */
const composites = {
  foreach: runForeach,
  'dag.run': runChildren,
  'dag.enqueue': runChildren,
  'router.route': chooseRoutes,
  // Nothing is carried out: the answer ends the step.
  'human.task': () => Promise.resolve<StepOutcome>({ status: 'waiting' }),
} as const;

function compositeOf({ run }: Step) {
  const kind = run.kind === 'action' ? run.action : run.kind;
  return Object.hasOwn(composites, kind) ? composites[kind as keyof typeof composites] : undefined;
}

/** Starts each step that needs a process once there is room for it; until then the step counts as running. */
export function createStepExecutor(
  dependencies: CarryOutDependencies,
  open: ReadyRun,
  frame: ExecutedFrame,
): StepExecutor {
  const { executor, processSlots, timer } = dependencies;
  const { actions } = open;
  return {
    execute: async (step, context) => {
      const { index, attempt, turn } = context;
      const files = frame.rows[index];
      if (files === undefined) throw new AppError('internal', 'A step to be carried out is not stored.');
      const { dag, values } = open;
      const place = { ...dependencies, dag, values, upstream: frame.outputs.upstreamOf(index), turn };
      await keepPreviousLogs(files);
      const composite = compositeOf(step);
      const action = step.run.kind === 'action' ? actions.get(step.run.action) : undefined;
      // Waiting for room is not the step's own time.
      const carryOut = () =>
        withinTimeLimit({ timer, timeoutSec: step.timeoutSec, signal: context.signal }, (signal) => {
          if (composite !== undefined) {
            return composite(dependencies, open, { step, files, place, frame, attempt, turn, signal });
          }
          if (open.containers?.has(step) === true) return open.containers.execute(place, { step, files }, { signal });
          return action === undefined
            ? executor.execute(stepCommand(place, step, files), { ...context, signal })
            : action.execute(actionCall(place, step, files), { ...context, signal });
        });
      if (composite !== undefined || (step.run.kind === 'action' && !processActions.has(step.run.action))) {
        return carryOut();
      }
      const release = await processSlots.acquire(context.signal);
      if (release === undefined) return { status: 'aborted', error: 'run stopped' };
      try {
        return await carryOut();
      } finally {
        release();
      }
    },
  };
}
