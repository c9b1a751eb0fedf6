import type { StepSettings } from '../inputs/step-settings';
import type { Settings } from '../inputs/settings';
import { fileVariables, projectVariables, quotaVariables } from '../inputs/variable-names';

export type Variable = readonly [name: string, value: string];

/** The environment variables for later steps, in order. `file` is the path of the credentials file, if there is one. */
export function listVariables(settings: Settings, file: string | undefined): readonly Variable[] {
  return chooseVariables(settings, [
    ...assignAll(fileVariables, file),
    ...assignAll(projectVariables, settings.projectId),
    ...assignAll(quotaVariables, settings.file.quotaProject),
  ]);
}

/** The variables that the inputs ask for. The names of a named identity end with its name: `GCP_PROJECT_DEPLOY`. */
export function chooseVariables(
  { exportsVariables, exportedVariables, identityName }: StepSettings,
  variables: readonly Variable[],
): readonly Variable[] {
  if (!exportsVariables) return [];
  const suffix = identityName === undefined ? '' : `_${identityName.toUpperCase().replaceAll('-', '_')}`;
  return variables
    .filter(([name]) => exportedVariables === undefined || exportedVariables.includes(name))
    .map(([name, value]) => [`${name}${suffix}`, value]);
}

function assignAll(names: readonly string[], value: string | undefined): readonly Variable[] {
  return value === undefined ? [] : names.map((name) => [name, value]);
}
