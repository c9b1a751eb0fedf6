import type { Dag, Step } from '@weir/workflow-spec';

export interface StepShell {
  /** Program and arguments. */
  readonly shell: readonly string[];
  /** Whether the step names it itself. */
  readonly isStepShell: boolean;
}

/**
 * The shell of a step: its own, else the DAG's, else the one configured, else the user's (`$SHELL`), else `sh`. Only
 * a step's own shell is used exactly as written.
 */
export function chooseShell(
  step: Pick<Step, 'shell'>,
  dag: Pick<Dag, 'shell'>,
  defaults: { readonly configured?: readonly string[] | undefined; readonly user?: string | undefined },
): StepShell {
  if (isGiven(step.shell)) return { shell: step.shell, isStepShell: true };
  const user = defaults.user === undefined || defaults.user === '' ? ['sh'] : [defaults.user];
  return { shell: [dag.shell, defaults.configured].find(isGiven) ?? user, isStepShell: false };
}

function isGiven(shell: readonly string[] | undefined): shell is readonly string[] {
  return shell !== undefined && shell.length > 0;
}
