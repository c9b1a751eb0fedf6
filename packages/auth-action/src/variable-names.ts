/** They name the credentials file. */
export const fileVariables = [
  'CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_GHA_CREDS_PATH',
] as const;

export const projectVariables = [
  'CLOUDSDK_CORE_PROJECT',
  'CLOUDSDK_PROJECT',
  'GCLOUD_PROJECT',
  'GCP_PROJECT',
  'GOOGLE_CLOUD_PROJECT',
] as const;

export const quotaVariables = ['GOOGLE_CLOUD_QUOTA_PROJECT', 'CLOUDSDK_BILLING_QUOTA_PROJECT'] as const;

/** Every variable that the action can set. */
export const variableNames: readonly string[] = [...fileVariables, ...projectVariables, ...quotaVariables];
