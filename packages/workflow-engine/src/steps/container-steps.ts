import { AppError } from '@weir/errors';
import {
  createContainerExecutor,
  openRunContainer,
  type ContainerSource,
  type RunContainer,
} from '../container/container-executor';
import type { CommandContext, StepCommand } from '../local-command/step-command';
import type { StepOutcome } from '../scope/step-ports';
import type { StepShell } from '../environment/step-shell';
import type { DagRunStep } from '../run-model/dag-run';
import { resolveField, type Dag, type LocalRun, type Scope, type Step } from '@weir/workflow-spec';
import { containerEnv, type HostEnv } from './container-env';
import { resolveTexts } from '../values/resolve-texts';
import type { RunValues } from '../values/run-values';
import { buildStepCommand, resolveStep, type StepCommandOptions } from './step-command';

/** The steps of a run that are carried out in containers: in one of their own, else in that of the DAG. */
export interface ContainerSteps {
  /** Whether the step is one of them: it has commands or a script, and it or the DAG a container. */
  has(step: Step): boolean;
  execute(
    options: StepCommandOptions & HostEnv,
    work: { readonly step: Step; readonly files: DagRunStep },
    context: Pick<CommandContext, 'signal'>,
  ): Promise<StepOutcome>;
  /** Removes the container of the DAG when the run has ended. Never rejects. */
  close(): Promise<void>;
}

export function createContainerSteps({
  dag,
  values,
}: {
  readonly dag: Dag;
  readonly values: RunValues;
}): ContainerSteps {
  let runContainer: RunContainer | undefined;
  const toSource = (container: NonNullable<Step['container']>, scope: Scope): ContainerSource => ({
    settings: resolveTexts(container, scope),
    registryAuths: resolveTexts(dag.registryAuths, scope),
    runId: values.info.runId,
    dagName: values.info.dagName,
  });
  const getExecutor = (step: Step, scope: Scope) => {
    if (step.container !== undefined) return createContainerExecutor(toSource(step.container, scope));
    runContainer ??= openRunContainer(toSource(dag.container ?? {}, values.scope));
    return runContainer.executor;
  };
  return {
    has: (step) => isCommand(step) && (step.container ?? dag.container) !== undefined,
    execute: (options, { step, files }, context) => {
      const { env, scope } = resolveStep(options, step, files);
      const command = buildStepCommand(options, step, files);
      const workingDir = step.workingDir === undefined ? {} : { workingDir: resolveField(step.workingDir, scope) };
      return getExecutor(step, scope).execute(
        {
          ...command,
          run: getLocalRun(command.run),
          ...chooseContainerShell(step, dag),
          ...workingDir,
          cwd: values.folder,
          containerEnv: containerEnv(options, step, env),
        },
        context,
      );
    },
    close: async () => runContainer?.close(),
  };
}

function isCommand({ run }: Step): boolean {
  return run.kind === 'commands' || run.kind === 'script';
}

function getLocalRun(run: StepCommand['run']): LocalRun {
  if (run.kind !== 'program') return run;
  throw new AppError('internal', 'A program of an action reached the containers.');
}

/** The shells that this server and its user have are not those of the container. */
function chooseContainerShell({ shell = [] }: Step, dag: Dag): StepShell {
  if (shell.length > 0) return { shell, isStepShell: true };
  return { shell: dag.shell === undefined || dag.shell.length === 0 ? ['sh'] : dag.shell, isStepShell: false };
}
