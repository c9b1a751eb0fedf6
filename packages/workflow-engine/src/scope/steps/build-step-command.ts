import { AppError } from '@weir/foundation';
import type { Dag, LocalRun, StepRun } from '@weir/workflow-spec';
import { positionalParams } from '@weir/workflow-spec/values';
import { chooseShell, type StepShell } from '../../values/environment/step-shell';
import type { StepCommand } from '../../host/local-command/step-command';
import { streamCopies } from '../../values/outputs/stream-copies';
import { resolveShellText } from '../../values/shell-text/resolve-shell-text';
import { resolveStep, type StepInputs } from '../../values/run-values/resolve-step';

/** The command of a step needs these of its run. */
export interface StepCommandContext {
  readonly dag: Dag;
  /** The default shell is for DAGs and steps that name none. */
  readonly ports: { readonly defaultShell?: readonly string[] | undefined };
}

/**
 * The command of a step with its references replaced, for the shell of the step unless another is given. Throws as
 * `resolveShellText`.
 */
export function buildStepCommand(
  { dag, ports }: StepCommandContext,
  inputs: StepInputs,
  containerShell?: StepShell,
): StepCommand {
  const { step, stored, values } = inputs;
  const { env, cwd, scope } = resolveStep(inputs);
  const shell =
    containerShell ?? chooseShell(step, dag, { configured: ports.defaultShell, user: values.userShell, scope });
  return {
    run: resolveRunText(step.run, (text) => resolveShellText(text, scope, shell)),
    args: positionalParams(dag, values.params),
    ...shell,
    cwd,
    env,
    stdoutFile: stored.stdoutFile,
    stderrFile: stored.stderrFile,
    stopSignal: step.signalOnStop,
    killGraceMs: toKillGraceMs(dag),
    masker: values.masker,
    copies: streamCopies(step, stored),
    logLimit: values.logLimit,
    enclosure: values.enclosure,
  };
}

/** Returns the time that the processes of a step have to end; the executor's default applies when missing. */
export function toKillGraceMs({ maxCleanUpTimeSec }: Pick<Dag, 'maxCleanUpTimeSec'>): number | undefined {
  return maxCleanUpTimeSec === undefined ? undefined : maxCleanUpTimeSec * 1000;
}

function resolveRunText(run: StepRun, resolve: (text: string) => string): LocalRun {
  if (run.kind !== 'script' && run.kind !== 'commands') {
    throw new AppError('internal', `A step of kind ${run.kind} reached the local executor.`);
  }
  return run.kind === 'script'
    ? { kind: 'script', script: resolve(run.script) }
    : { kind: 'commands', commands: run.commands.map(resolve) };
}
