import { AppError } from '@weir/foundation';
import type { Step, StepRun } from '@weir/workflow-spec';
import { findAction, isExecutable, type CompositeActionName } from '@weir/workflow-spec/actions';
import { executeAction } from '../../actions/execute-action';
import { isBuildStep } from '../build/build-files';
import { executeBuildStep } from '../build/execute-build-step';
import { createCallableDags } from '../children/callable-dags';
import { enqueueChildren, executeChildren } from '../children/execute-children';
import { withStepCalls } from '../children/step-calls';
import { executeAgent } from '../agent/execute-agent';
import { executeForeach } from '../foreach/execute-foreach';
import { archivePreviousLogs } from '../../host/logs/archive-logs';
import { beginAttempt } from '../../host/logs/log-times';
import { maskOutcome } from '../../values/masking/mask-outcome';
import { removeAttemptFiles } from '../../scope/attempts/attempt-files';
import { openAttemptOutputs } from '../../scope/attempts/attempt-outputs';
import { toActionServices } from '../context/action-services';
import { chooseRoutes } from './choose-routes';
import type { ExecuteStep, RunContext } from '../context/run-context';
import type { StepExecution } from '../../scope/loop/step-execution';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { buildActionCall } from '../../scope/steps/action-call';
import { startTimeLimit } from '../../scope/attempts/attempt-time-limit';
import { buildStepCommand } from '../../scope/steps/build-step-command';
import { openHumanTask } from './open-human-task';
import { ownTreesFolder } from '../../model/run-model/log-layout';

/** Does something around the work of an attempt. */
type Wrapper = (context: RunContext, execution: StepExecution, execute: ExecuteStep) => Promise<StepOutcome>;

const withoutLeftovers: Wrapper = async (context, execution, execute) => {
  const { step, stored } = execution;
  try {
    return await execute(context, execution);
  } finally {
    await removeAttemptFiles(step, stored, { mayHoldSecrets: context.values.masker !== undefined });
  }
};

const withMask: Wrapper = async (context, execution, execute) => {
  const { masker } = context.values;
  const outcome = await execute(context, execution);
  return masker === undefined ? outcome : maskOutcome(outcome, masker);
};

const withOutputs: Wrapper = async (context, execution, execute) => {
  const { stored, attempt } = execution;
  await archivePreviousLogs(stored);
  beginAttempt(stored, attempt, context.ports.clock);
  const outputs = await openAttemptOutputs(context, execution);
  return outputs.addTo(await execute(context, execution));
};

/** A step that needs a process counts as running while it waits for a permit. */
const withPermit: Wrapper = async (context, execution, execute) => {
  if (!findExecutor(execution.step).usesProcess) return execute(context, execution);
  const release = await context.ports.processPermits.acquire(execution.signal);
  if (release === undefined) return { status: 'aborted', error: 'run stopped' };
  try {
    return await execute(context, execution);
  } finally {
    release();
  }
};

const withTimeLimit: Wrapper = async (context, execution, execute) => {
  const { step, signal } = execution;
  const limit = startTimeLimit({ timer: context.ports.timer, timeoutSec: step.timeoutSec, signal });
  try {
    return limit.applyTo(await execute(context, { ...execution, signal: limit.signal }));
  } finally {
    limit.cancel();
  }
};

const withBuild: Wrapper = (context, execution, execute) =>
  isBuildStep(execution.step) ? executeBuildStep(context, execution, execute) : execute(context, execution);

/** The outermost first: a secret is masked in all that is collected, and no step waits for a permit in its own time. */
const wrappers: readonly Wrapper[] = [withoutLeftovers, withMask, withOutputs, withPermit, withTimeLimit, withBuild];

/** Executes one attempt of a step. Its outcome has the outputs of the attempt and holds no secret. */
export const executeStep = wrappers.reduceRight<ExecuteStep>(
  (execute, wrap) => (context, execution) => wrap(context, execution, execute),
  (context, execution) => findExecutor(execution.step).execute(context, execution),
);

interface StepKindExecutor {
  /** Whether it starts processes on this host, whose number is bounded. */
  readonly usesProcess: boolean;
  readonly execute: ExecuteStep;
}

const executeCommand: ExecuteStep = (context, execution) => {
  if (context.containers.has(execution.step)) return context.containers.execute(context, execution);
  const command = buildStepCommand(context, execution);
  const { commands } = context.ports;
  if (context.enclosure === undefined) return commands.run(command, execution);
  return withStepCalls(context.enclosure, { context, execution }, (variables) =>
    commands.run({ ...command, env: { ...command.env, ...variables } }, execution),
  );
};

const executeActionStep: ExecuteStep = (context, execution) =>
  executeAction({ ...buildActionCall(context, execution), ownTreesFolder: ownTreesFolder(context.run) }, execution, {
    ...toActionServices(context.ports),
    dags: createCallableDags(context, execution),
  });

/** Everything that a step can do: a composite action that is missing does not compile. */
const executors: Readonly<Record<CompositeActionName | Exclude<StepRun['kind'], 'action'>, StepKindExecutor>> = {
  commands: { usesProcess: true, execute: executeCommand },
  script: { usesProcess: true, execute: executeCommand },
  foreach: { usesProcess: false, execute: executeForeach },
  agent: { usesProcess: false, execute: executeAgent },
  'dag.run': { usesProcess: false, execute: executeChildren },
  'dag.enqueue': { usesProcess: false, execute: enqueueChildren },
  'router.route': { usesProcess: false, execute: chooseRoutes },
  'human.task': { usesProcess: false, execute: openHumanTask },
};

/** By `actionExecutors`, each of which gets its settings checked and typed. */
const actionInProcess: StepKindExecutor = { usesProcess: false, execute: executeActionStep };
const actionByProcess: StepKindExecutor = { usesProcess: true, execute: executeActionStep };

function findExecutor({ run }: Step): StepKindExecutor {
  if (run.kind !== 'action') return executors[run.kind];
  const action = findAction(run.action);
  if (action?.execution === 'composite') return executors[action.name];
  if (action === undefined || !isExecutable(action)) {
    throw new AppError('internal', `The action ${run.action} has no executor.`);
  }
  return action.execution === 'process' ? actionByProcess : actionInProcess;
}
