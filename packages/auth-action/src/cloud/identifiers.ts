// What things are called does not depend on where they are reached: a private endpoint changes no audience or scope.

/** The provider as the audience of an exchange and of the credentials file. */
export function providerAudience(universe: string, provider: string): string {
  return `//iam.${universe}/${provider}`;
}

/** The scope of all services. */
export function cloudPlatformScope(universe: string): string {
  return `https://www.${universe}/auth/cloud-platform`;
}

/** The account as a link of a chain of delegates. A name that is already canonical stays. */
export function accountName(account: string): string {
  return account.startsWith('projects/') ? account : `projects/-/serviceAccounts/${account}`;
}
