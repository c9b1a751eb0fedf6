import type { Settings } from '../settings';
import { fileVariables, projectVariables, quotaVariables } from '../variable-names';

export type Variable = readonly [name: string, value: string];

/** The environment variables for later steps, in order. `file` is the path of the credentials file, if there is one. */
export function listVariables(settings: Settings, file: string | undefined): readonly Variable[] {
  if (!settings.exportsVariables) return [];
  const variables = [
    ...assignAll(fileVariables, file),
    ...assignAll(projectVariables, settings.projectId),
    ...assignAll(quotaVariables, settings.file.quotaProject),
  ];
  const chosen = settings.exportedVariables;
  return variables.filter(([name]) => chosen === undefined || chosen.includes(name));
}

function assignAll(names: readonly string[], value: string | undefined): readonly Variable[] {
  return value === undefined ? [] : names.map((name) => [name, value]);
}
