import type { Step } from '@weir/workflow-spec';
import { resolveEnv, type Scope } from '@weir/workflow-spec/values';
import type { Environment, RunInfo } from '../environment/run-variables';
import { stepEnvironment } from '../environment/step-environment';
import { stepOutputFile } from '../../model/run-model/log-layout';
import type { Upstream } from '../outputs/scope-outputs';
import type { DagRunStep } from '../../model/run-model/dag-run';
import { resolveFolder, type RunValues } from './run-values';
import { idempotencyKey, readFeedback, readPushBack, traceVariables } from './step-info';

/** The strings of a step are resolved from these. */
export interface StepInputs {
  readonly step: Step;
  /** The step as stored when its scope began: its log files, and the decisions about it. */
  readonly stored: DagRunStep;
  /** The values of the scope. */
  readonly values: RunValues;
  /** The outputs of the steps that it depends on, directly or not. */
  readonly upstream?: Upstream | undefined;
  /** Iterations of a repeated step that have ended; 0 when missing. */
  readonly iterations?: number;
}

/** The values that the references of a step find, its environment, and the folder that it executes in. */
export interface ResolvedStep {
  readonly scope: Scope;
  readonly env: Environment;
  readonly cwd: string;
}

/** Throws `resolved_text_too_long`. */
export function resolveStep({ step, stored, values, upstream, iterations = 0 }: StepInputs): ResolvedStep {
  const { stdoutFile, stderrFile } = stored;
  const info: RunInfo = {
    ...values.info,
    stepName: step.name,
    stdoutFile,
    stderrFile,
    outputFile: stepOutputFile(stdoutFile),
    idempotencyKey: idempotencyKey(values.runKey, stored, iterations),
    ...(step.repeatPolicy === undefined ? {} : { repeatIndex: iterations }),
    ...readPushBack(stored),
  };
  const toScope = (env: Environment): Scope => ({
    ...values.scope,
    env: new Map(Object.entries(env)),
    ...(upstream === undefined ? {} : { steps: new Map([...(values.scope.steps ?? []), ...upstream.steps]) }),
    context: new Map([...(values.scope.context ?? []), ...stepContext(step, stored, info)]),
  });
  const given = { ...traceVariables(values, stored), ...values.env, ...upstream?.env, ...readFeedback(stored) };
  const stepEnv = resolveEnv(step.env, toScope(stepEnvironment(given, {}, info)));
  const env = stepEnvironment(given, Object.fromEntries(stepEnv), info);
  const scope = toScope(env);
  const cwd = step.workingDir === undefined ? values.folder : resolveFolder(values.folder, step.workingDir, scope);
  return { scope, env, cwd };
}

function stepContext(
  { id, name }: Step,
  stored: DagRunStep,
  { repeatIndex, pushBack }: RunInfo,
): readonly (readonly [string, string])[] {
  const { stdoutFile, stderrFile } = stored;
  return [
    ...(id === undefined ? [] : [['step.id', id] as const]),
    ['step.name', name],
    ['paths.step_stdout_file', stdoutFile],
    ['paths.step_stderr_file', stderrFile],
    ['paths.step_output_file', stepOutputFile(stdoutFile)],
    ...(repeatIndex === undefined ? [] : [['repeat.index', String(repeatIndex)] as const]),
    ...(pushBack === undefined
      ? []
      : [
          ['pushback.iteration', String(pushBack.iteration)] as const,
          ...(pushBack.comment === undefined ? [] : [['pushback.comment', pushBack.comment] as const]),
          ['pushback.previous_stdout_file', pushBack.previousStdoutFile] as const,
        ]),
  ];
}
