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

/** The variables of AWS and Azure, and of the providers of Terraform. */
const cloudVariables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_ROLE_ARN',
  'AWS_ROLE_SESSION_NAME',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ENDPOINT_URL_STS',
  'AZURE_CLIENT_ID',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_SECRET',
  'AZURE_SUBSCRIPTION_ID',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_AUTHORITY_HOST',
  'ARM_CLIENT_ID',
  'ARM_TENANT_ID',
  'ARM_CLIENT_SECRET',
  'ARM_SUBSCRIPTION_ID',
  'ARM_USE_OIDC',
  'ARM_OIDC_TOKEN_FILE_PATH',
  'ARM_USE_MSI',
  'ARM_ENVIRONMENT',
] as const;

/** The variables of npm, of Python's clients and of Maven. */
const packageVariables = [
  'NPM_CONFIG_USERCONFIG',
  'NETRC',
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'UV_DEFAULT_INDEX',
  'UV_INDEX',
  'MAVEN_ARGS',
] as const;

/** Every variable that the action can set. */
export const variableNames: readonly string[] = [
  ...fileVariables,
  ...projectVariables,
  ...quotaVariables,
  ...cloudVariables,
  ...packageVariables,
];
