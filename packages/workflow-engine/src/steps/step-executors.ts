import type { ExecuteStep, StepKindExecutor } from '../run/run-context';
import { AppError } from '@weir/errors';
import { findAction, isExecutable, type CompositeActionName, type Step } from '@weir/workflow-spec';
import type { ActionServices } from '../actions/action-executor';
import { executeAction } from '../actions/execute-action';
import { enqueueChildren, executeChildren } from '../children/execute-children';
import { executeForeach } from '../foreach/execute-foreach';
import { chooseRoutes } from '../router/choose-routes';
import type { RunPorts } from '../run/run-ports';
import { buildActionCall } from './action-call';
import { buildStepCommand } from './step-command';

const executeCommand: ExecuteStep = (context, execution) => {
  if (context.containers.has(execution.step)) return context.containers.execute(context, execution);
  return context.ports.commands.execute(buildStepCommand(context, execution), execution);
};

const executeActionStep: ExecuteStep = (context, execution) =>
  executeAction(buildActionCall(context, execution), execution, toActionServices(context.ports));

/** Everything that a step can do: a composite action that is missing does not compile. */
const executors: Readonly<Record<CompositeActionName | 'commands' | 'script' | 'foreach', StepKindExecutor>> = {
  commands: { usesProcess: true, execute: executeCommand },
  script: { usesProcess: true, execute: executeCommand },
  foreach: { usesProcess: false, execute: executeForeach },
  'dag.run': { usesProcess: false, execute: executeChildren },
  'dag.enqueue': { usesProcess: false, execute: enqueueChildren },
  'router.route': { usesProcess: false, execute: chooseRoutes },
  // Nothing executes: the answer of a person ends the step.
  'human.task': { usesProcess: false, execute: () => Promise.resolve({ status: 'waiting' }) },
};

/** By `actionExecutors`, each of which gets its settings checked and typed. */
const actionInProcess: StepKindExecutor = { usesProcess: false, execute: executeActionStep };
const actionByProcess: StepKindExecutor = { usesProcess: true, execute: executeActionStep };

/** The executor of what a step does. */
export function findStepExecutor({ run }: Step): StepKindExecutor {
  if (run.kind !== 'action') return executors[run.kind];
  const action = findAction(run.action);
  if (action?.execution === 'composite') return executors[action.name];
  if (action === undefined || !isExecutable(action)) {
    throw new AppError('internal', `The action ${run.action} has no executor.`);
  }
  return action.execution === 'process' ? actionByProcess : actionInProcess;
}

function toActionServices({ clock, commands, outputEvaluator, runJs, sendMail, state }: RunPorts): ActionServices {
  return {
    clock,
    commands,
    evaluate: (request, signal) => outputEvaluator.evaluate(request, signal),
    runJs,
    sendMail,
    state,
  };
}
