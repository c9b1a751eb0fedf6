import { AppError } from '@weir/errors';
import { chooseShell } from '../environment/step-shell';
import { stepEnvironment } from '../environment/step-environment';
import { stepOutputFile } from '../logs/log-layout';
import { streamCopies } from '../outputs/stream-copies';
import type { Environment, RunInfo } from '../environment/run-variables';
import type { StepCommand } from '../local-command/step-command';
import type { DagRunStep } from '../run-model/dag-run';
import {
  positionalParams,
  resolveEnv,
  resolveText,
  type Dag,
  type LocalRun,
  type Scope,
  type Step,
  type StepRun,
} from '@weir/workflow-spec';
import { readFeedback, idempotencyKey, readPushBack } from './step-info';
import type { Upstream } from '../outputs/scope-outputs';
import { resolveFolder, type RunValues } from '../values/run-values';

export interface StepCommandOptions {
  readonly dag: Dag;
  readonly values: RunValues;
  /** For DAGs and steps that name no shell. Default: `$SHELL`, else `sh`. */
  readonly defaultShell?: readonly string[] | undefined;
  /** Of the steps before this one. */
  readonly upstream?: Upstream | undefined;
  /** Turns of a repeated step that have ended; 0 when missing. */
  readonly iterations?: number | undefined;
}

/** Works out everything about a step: references, environment, folder, shell. Throws `resolved_text_too_long`. */
export function buildStepCommand(options: StepCommandOptions, step: Step, files: DagRunStep): StepCommand {
  const { dag, values, defaultShell } = options;
  const { stdoutFile, stderrFile } = files;
  const { env, cwd, scope } = resolveStep(options, step, files);
  return {
    run: resolveRunText(step.run, (text) => resolveText(text, scope)),
    args: positionalParams(dag, values.params),
    ...chooseShell(step, dag, { configured: defaultShell, user: values.userShell }),
    cwd,
    env,
    stdoutFile,
    stderrFile,
    stopSignal: step.signalOnStop,
    killGraceMs: dag.maxCleanUpTimeSec === undefined ? undefined : dag.maxCleanUpTimeSec * 1000,
    masker: values.masker,
    copies: streamCopies(step, files),
  };
}

/** Where a step does its work: what its references find, its environment and its folder. */
export interface ResolvedStep {
  readonly scope: Scope;
  readonly env: Environment;
  readonly cwd: string;
}

/** Throws `resolved_text_too_long`. */
export function resolveStep(
  { values, upstream, iterations = 0 }: Pick<StepCommandOptions, 'values' | 'upstream' | 'iterations'>,
  step: Step,
  files: DagRunStep,
): ResolvedStep {
  const { stdoutFile, stderrFile } = files;
  const outputFile = stepOutputFile(stdoutFile);
  const info: RunInfo = {
    ...values.info,
    stepName: step.name,
    stdoutFile,
    stderrFile,
    outputFile,
    idempotencyKey: idempotencyKey(values.runKey, files, iterations),
    ...readPushBack(files),
  };
  const toScope = (env: Environment): Scope => ({
    ...values.scope,
    env: new Map(Object.entries(env)),
    ...(upstream === undefined ? {} : { steps: new Map([...(values.scope.steps ?? []), ...upstream.steps]) }),
    context: new Map([...(values.scope.context ?? []), ...stepContext(step, files)]),
  });
  const given = { ...values.env, ...upstream?.env, ...readFeedback(files) };
  const stepEnv = resolveEnv(step.env, toScope(stepEnvironment(given, {}, info)));
  const env = stepEnvironment(given, Object.fromEntries(stepEnv), info);
  const scope = toScope(env);
  const cwd = step.workingDir === undefined ? values.folder : resolveFolder(values.folder, step.workingDir, scope);
  return { scope, env, cwd };
}

function resolveRunText(run: StepRun, resolve: (text: string) => string): LocalRun {
  if (run.kind !== 'script' && run.kind !== 'commands') {
    throw new AppError('internal', `A step of kind ${run.kind} reached the local executor.`);
  }
  return run.kind === 'script'
    ? { kind: 'script', script: resolve(run.script) }
    : { kind: 'commands', commands: run.commands.map(resolve) };
}

function stepContext({ id, name }: Step, files: DagRunStep): readonly (readonly [string, string])[] {
  const { stdoutFile, stderrFile } = files;
  const { pushBack } = readPushBack(files);
  return [
    ...(id === undefined ? [] : [['step.id', id] as const]),
    ['step.name', name],
    ['paths.step_stdout_file', stdoutFile],
    ['paths.step_stderr_file', stderrFile],
    ['paths.step_output_file', stepOutputFile(stdoutFile)],
    ...(pushBack === undefined
      ? []
      : [
          ['pushback.iteration', String(pushBack.iteration)] as const,
          ['pushback.previous_stdout_file', pushBack.previousStdoutFile] as const,
        ]),
  ];
}
