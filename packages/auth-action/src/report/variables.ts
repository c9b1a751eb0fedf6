import type { Settings } from '../settings';

export type Variable = readonly [name: string, value: string];

const fileVariables = [
  'CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_GHA_CREDS_PATH',
];

const projectVariables = [
  'CLOUDSDK_CORE_PROJECT',
  'CLOUDSDK_PROJECT',
  'GCLOUD_PROJECT',
  'GCP_PROJECT',
  'GOOGLE_CLOUD_PROJECT',
];

/** The variables to set for later steps, in order. `file` is the credentials file's path, if one was written. */
export function variablesOf(settings: Settings, file: string | undefined): readonly Variable[] {
  if (!settings.exportsVariables) return [];
  return [...each(fileVariables, file), ...each(projectVariables, settings.projectId)];
}

function each(names: readonly string[], value: string | undefined): readonly Variable[] {
  return value === undefined ? [] : names.map((name) => [name, value]);
}
