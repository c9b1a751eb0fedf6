// Resource names, scopes and audiences depend neither on the endpoints nor on the universe: other universes have hosts
// of their own, but the same identifiers as googleapis.com.
const iamName = 'iam.googleapis.com';

/** The audience of the token exchange and of the credentials file. */
export function providerAudience(provider: string): string {
  return `//${iamName}/${provider}`;
}

/** The `aud` claim that a provider without allowed audiences accepts. */
export function defaultTokenAudience(provider: string): string {
  return `https://${iamName}/${provider}`;
}

/** The pool as principals in IAM policies name it. */
export function poolName(projectNumber: string, pool: string): string {
  return `//${iamName}/projects/${projectNumber}/locations/global/workloadIdentityPools/${pool}`;
}

export const cloudPlatformScope = 'https://www.googleapis.com/auth/cloud-platform';

/** The resource name of an account in a delegation chain. A full name is not changed. */
export function accountName(account: string): string {
  return account.startsWith('projects/') ? account : `projects/-/serviceAccounts/${account}`;
}
