import type { Dag, Step } from '@weir/workflow-spec';
import { resolveField, type Scope } from '@weir/workflow-spec/values';

export interface StepShell {
  /** Program and arguments. */
  readonly shell: readonly string[];
  /** Whether the step names it itself. */
  readonly isStepShell: boolean;
}

export interface ShellSources {
  readonly configured?: readonly string[] | undefined;
  readonly user?: string | undefined;
  /** Resolves the references in the words of a shell that the file names. */
  readonly scope: Scope;
}

/**
 * The shell of a step: its own, else the DAG's, else the one configured, else the user's (`$SHELL`), else `sh`. Only
 * a step's own shell is used exactly as written.
 */
export function chooseShell(
  step: Pick<Step, 'shell'>,
  dag: Pick<Dag, 'shell'>,
  { configured, user, scope }: ShellSources,
): StepShell {
  const resolve = (words: readonly string[]) => words.map((word) => resolveField(word, scope));
  if (isGiven(step.shell)) return { shell: resolve(step.shell), isStepShell: true };
  if (isGiven(dag.shell)) return { shell: resolve(dag.shell), isStepShell: false };
  if (isGiven(configured)) return { shell: configured, isStepShell: false };
  return { shell: user === undefined || user === '' ? ['sh'] : [user], isStepShell: false };
}

function isGiven(shell: readonly string[] | undefined): shell is readonly string[] {
  return shell !== undefined && shell.length > 0;
}
