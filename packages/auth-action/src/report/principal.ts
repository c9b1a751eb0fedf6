import { poolName } from '../inputs/identifiers';
import type { Identity, ProviderName } from '../inputs/settings';

/** The service account, or in direct federation the principal of the subject of the OIDC token. */
export function formatPrincipal(identity: Identity, subject: string | undefined): string {
  if (identity.mode === 'key') return identity.serviceAccount;
  return identity.serviceAccount ?? formatPoolPrincipal(identity.provider, subject);
}

function formatPoolPrincipal({ projectNumber, pool }: ProviderName, subject: string | undefined): string {
  const name = poolName(projectNumber, pool);
  return subject === undefined ? `principalSet:${name}/*` : `principal:${name}/subject/${subject}`;
}

/** The principal set of all jobs of a repository, as IAM policies name it. */
export function formatRepositoryPrincipals({ projectNumber, pool }: ProviderName, repository: string): string {
  return `principalSet:${poolName(projectNumber, pool)}/attribute.repository/${repository}`;
}
