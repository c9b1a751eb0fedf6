import { AppError, isAppError } from '@weir/foundation';
import type { Dag, LocalRun, Step } from '@weir/workflow-spec';
import { resolveField, type Scope } from '@weir/workflow-spec/values';
import {
  createContainerExecutor,
  openRunContainer,
  type ContainerSource,
  type RunContainer,
} from '../../host/container/container-executor';
import { usesContainers } from '../../host/container/uses-containers';
import { removeRunContainers } from '../../host/container/remove-run-containers';
import type { StepShell } from '../../values/environment/step-shell';
import type { StepCommand } from '../../host/local-command/step-command';
import type { RunLog } from '../../host/logs/run-log';
import type { Clock } from '../../model/ports/clock';
import type { Lease } from '../../model/run-model/dag-run';
import type { StepOutcome } from '../../model/steps/step-outcome';
import { resolveTexts } from '../../values/text/resolve-texts';
import type { RunValues } from '../../values/run-values/run-values';
import { containerEnv } from '../../scope/steps/container-env';
import { resolveStep } from '../../values/run-values/resolve-step';
import { buildStepCommand } from '../../scope/steps/build-step-command';
import type { ExecuteStep, RunContainers } from '../context/run-context';

export function createRunContainers({
  dag,
  values,
  clock,
}: {
  readonly dag: Dag;
  readonly values: RunValues;
  readonly clock: Clock;
}): RunContainers {
  let runContainer: RunContainer | undefined;
  const toSource = (container: NonNullable<Step['container']>, scope: Scope): ContainerSource => ({
    settings: resolveTexts(container, scope),
    registryAuths: resolveTexts(dag.registryAuths, scope),
    runId: values.info.runId,
    dagName: values.info.dagName,
    clock,
  });
  const getExecutor = (step: Step, scope: Scope) => {
    if (step.container !== undefined) return createContainerExecutor(toSource(step.container, scope));
    runContainer ??= openRunContainer(toSource(dag.container ?? {}, values.scope));
    return runContainer.executor;
  };
  const execute: ExecuteStep = (context, execution): Promise<StepOutcome> => {
    const { step, signal } = execution;
    const { env, scope } = resolveStep(execution);
    const command = buildStepCommand(context, execution, chooseContainerShell(step, dag));
    const workingDir = step.workingDir === undefined ? {} : { workingDir: resolveField(step.workingDir, scope) };
    return getExecutor(step, scope).execute(
      {
        ...command,
        run: requireShellRun(command.run),
        ...workingDir,
        cwd: values.folder,
        containerEnv: containerEnv(context, step, { env, params: values.params }),
      },
      { signal },
    );
  };
  return {
    has: (step) => isCommand(step) && (step.container ?? dag.container) !== undefined,
    execute,
    close: async () => runContainer?.close(),
  };
}

/** Removes the containers that an earlier owner of the run could not remove. */
export async function removeStaleContainers({
  dag,
  lease,
  values,
  log,
}: {
  readonly dag: Dag;
  readonly lease: Lease;
  readonly values: RunValues;
  readonly log: RunLog;
}): Promise<void> {
  if (lease.token === 1 || !usesContainers(dag)) return;
  try {
    const { dagName, runId } = values.info;
    const count = await removeRunContainers({ dagName, runId }, values.env);
    if (count > 0) log.write('containers of an earlier owner removed', { count });
  } catch (error) {
    if (!isAppError(error)) throw error;
    // The steps that need the engine fail by themselves.
    log.write('containers of an earlier owner not removed', { problem: error.message });
  }
}

function isCommand({ run }: Step): boolean {
  return run.kind === 'commands' || run.kind === 'script';
}

function requireShellRun(run: StepCommand['run']): LocalRun {
  if (run.kind !== 'program') return run;
  throw new AppError('internal', 'A program of an action reached the containers.');
}

/** The shells that this server and its user have are not those of the container. */
function chooseContainerShell({ shell = [] }: Step, dag: Dag): StepShell {
  if (shell.length > 0) return { shell, isStepShell: true };
  return { shell: dag.shell === undefined || dag.shell.length === 0 ? ['sh'] : dag.shell, isStepShell: false };
}
