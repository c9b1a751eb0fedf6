import { AppError } from '@weir/errors';
import { executeAction } from '../actions/execute-action';
import { withinTimeLimit } from './time-limit';
import type { StepExecutor, StepOutcome } from '../scope/step-ports';
import type { DagRunStep } from '../run-model/dag-run';
import { findAction, type CompositeActionName, type JsonValue, type Step } from '@weir/workflow-spec';
import { buildActionCall } from './action-call';
import type { RunPorts } from '../run/execute-run';
import { runChildren } from '../children/run-children';
import { runForeach } from '../foreach/run-foreach';
import { archivePreviousLogs } from '../logs/archive-logs';
import type { ReadyRun } from '../run/open-run';
import { chooseRoutes } from '../router/choose-routes';
import type { ScopeExecution } from '../scope/execute-scope';
import type { ScopeOutputs } from '../outputs/scope-outputs';
import { buildStepCommand, type StepCommandOptions } from './step-command';

export interface ScopeBeingExecuted extends ScopeExecution {
  readonly outputs: ScopeOutputs;
  /** What steps that are made of others kept when the run was taken up. */
  readonly memos: ReadonlyMap<number, JsonValue>;
}

/** A step that is carried out, with everything around it. */
export interface StepExecution {
  readonly step: Step;
  readonly files: DagRunStep;
  readonly commandOptions: StepCommandOptions;
  readonly scope: ScopeBeingExecuted;
  /** Counts from 1. */
  readonly attempt: number;
  readonly iterations: number;
  readonly signal: AbortSignal;
}

/** Executes a step that the run performs itself: other runs, a loop, the choice of a route, a task for a person. */
type CompositeExecutor = (ports: RunPorts, open: ReadyRun, step: StepExecution) => Promise<StepOutcome>;

/** One for each composite action: a name that is missing does not compile. */
const compositeExecutors: Readonly<Record<CompositeActionName | 'foreach', CompositeExecutor>> = {
  foreach: runForeach,
  'dag.run': runChildren,
  'dag.enqueue': runChildren,
  'router.route': chooseRoutes,
  // There is nothing to execute: the answer ends the step.
  'human.task': () => Promise.resolve({ status: 'waiting' }),
};

function findComposite({ run }: Step): CompositeExecutor | undefined {
  if (run.kind !== 'action') return run.kind === 'foreach' ? compositeExecutors.foreach : undefined;
  const action = findAction(run.action);
  return action?.execution === 'composite' ? compositeExecutors[action.name] : undefined;
}

function needsProcess({ run }: Step): boolean {
  if (run.kind === 'action') return findAction(run.action)?.execution === 'process';
  return run.kind !== 'foreach';
}

/** Starts each step that needs a process once there is room for it; until then the step counts as running. */
export function createStepExecutor(dependencies: RunPorts, open: ReadyRun, scope: ScopeBeingExecuted): StepExecutor {
  const { executor, processPermits, timer } = dependencies;
  const { actionServices } = open;
  return {
    execute: async (step, context) => {
      const { index, attempt, iterations } = context;
      const files = scope.steps[index];
      if (files === undefined) throw new AppError('internal', 'A step to be carried out is not stored.');
      const { dag, values } = open;
      const commandOptions = { ...dependencies, dag, values, upstream: scope.outputs.findUpstream(index), iterations };
      await archivePreviousLogs(files);
      const composite = findComposite(step);
      // Waiting for room is not the step's own time.
      const execute = () =>
        withinTimeLimit({ timer, timeoutSec: step.timeoutSec, signal: context.signal }, (signal) => {
          if (composite !== undefined) {
            return composite(dependencies, open, { step, files, commandOptions, scope, attempt, iterations, signal });
          }
          if (open.containers?.has(step) === true)
            return open.containers.execute(commandOptions, { step, files }, { signal });
          const stepContext = { ...context, signal };
          return step.run.kind === 'action'
            ? executeAction(buildActionCall(commandOptions, step, files), stepContext, actionServices)
            : executor.execute(buildStepCommand(commandOptions, step, files), stepContext);
        });
      if (!needsProcess(step)) return execute();
      const release = await processPermits.acquire(context.signal);
      if (release === undefined) return { status: 'aborted', error: 'run stopped' };
      try {
        return await execute();
      } finally {
        release();
      }
    },
  };
}
