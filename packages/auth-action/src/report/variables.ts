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

/** The environment variables for later steps, in order. `file` is the path of the credentials file, if there is one. */
export function listVariables(settings: Settings, file: string | undefined): readonly Variable[] {
  if (!settings.exportsVariables) return [];
  return [...assignAll(fileVariables, file), ...assignAll(projectVariables, settings.projectId)];
}

function assignAll(names: readonly string[], value: string | undefined): readonly Variable[] {
  return value === undefined ? [] : names.map((name) => [name, value]);
}
