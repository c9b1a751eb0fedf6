import { chooseShell } from '../../values/environment/step-shell';
import type { Dag, EvaluatedParam, PendingParam } from '@weir/workflow-spec';
import { evaluateText } from '../../host/local-command/evaluate-text';
import type { RunValues } from '../../values/run-values/run-values';

export interface EvaluateOptions {
  readonly dag: Dag;
  readonly values: RunValues;
  readonly defaultShell?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** Evaluates the `eval` of one parameter with the shell of the DAG. */
export function evaluateParam(pending: PendingParam, options: EvaluateOptions): Promise<EvaluatedParam> {
  const { dag, values, defaultShell, signal } = options;
  return evaluateText(pending.eval, {
    shell: chooseShell({}, dag, { configured: defaultShell, user: values.userShell, scope: values.scope }),
    cwd: values.isFolderKnown ? values.folder : values.info.workDir,
    env: values.env,
    scope: values.scope,
    enclosure: values.enclosure,
    signal,
  });
}
