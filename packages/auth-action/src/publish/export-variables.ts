import type { ActionsRuntime } from '../runner/actions-runtime';
import type { StepSettings } from '../inputs/step-settings';
import { formatState, stateNames, type VariablesState } from '../runner/state';
import type { Variable } from '../report';

/** Sets the variables for later steps. With `restore_environment_variables`, saves their values for post before. */
export function exportVariables(
  runtime: ActionsRuntime,
  { restoresVariables }: StepSettings,
  variables: readonly Variable[],
): void {
  if (restoresVariables && variables.length > 0) {
    const previous: VariablesState = Object.fromEntries(variables.map(([name]) => [name, runtime.env[name] ?? '']));
    runtime.saveState(stateNames.variables, formatState(previous));
  }
  for (const [name, value] of variables) runtime.exportVariable(name, value);
}
