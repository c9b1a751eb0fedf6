import type { Identity, ProviderName } from '../settings';

/** Who the job is to the cloud: an account, or in direct federation the principal of the token's subject. */
export function principalOf(identity: Identity, universe: string, subject: string | undefined): string {
  if (identity.mode === 'key') return identity.serviceAccount;
  return identity.serviceAccount ?? poolMember(identity.provider, universe, subject);
}

function poolMember(provider: ProviderName, universe: string, subject: string | undefined): string {
  const pool = poolOf(provider, universe);
  return subject === undefined ? `principalSet:${pool}/*` : `principal:${pool}/subject/${subject}`;
}

/** The jobs of one repository, as roles are given to them. */
export function repositoryPrincipals(provider: ProviderName, universe: string, repository: string): string {
  return `principalSet:${poolOf(provider, universe)}/attribute.repository/${repository}`;
}

function poolOf({ projectNumber, pool }: ProviderName, universe: string): string {
  return `//iam.${universe}/projects/${projectNumber}/locations/global/workloadIdentityPools/${pool}`;
}
