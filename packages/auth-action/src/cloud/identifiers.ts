// What things are called depends neither on where they are reached nor on the universe: those other than googleapis.com
// have hosts of their own, while names, scopes and audiences keep the spelling of the first one.
const iamName = 'iam.googleapis.com';

/** The provider as the audience of an exchange and of the credentials file. */
export function providerAudience(provider: string): string {
  return `//${iamName}/${provider}`;
}

/** The `aud` of the job's OIDC token which a provider accepts unless it was told otherwise. */
export function defaultTokenAudience(provider: string): string {
  return `https://${iamName}/${provider}`;
}

/** The pool as it stands in the principals that roles are given to. */
export function poolName(projectNumber: string, pool: string): string {
  return `//${iamName}/projects/${projectNumber}/locations/global/workloadIdentityPools/${pool}`;
}

/** The scope of all services. */
export const cloudPlatformScope = 'https://www.googleapis.com/auth/cloud-platform';

/** The account as a link of a chain of delegates. A name that is already canonical stays. */
export function accountName(account: string): string {
  return account.startsWith('projects/') ? account : `projects/-/serviceAccounts/${account}`;
}
