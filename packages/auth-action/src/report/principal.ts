import { poolName } from '../cloud/identifiers';
import type { Identity, ProviderName } from '../settings';

/** Who the job is to the cloud: an account, or in direct federation the principal of the token's subject. */
export function principalOf(identity: Identity, subject: string | undefined): string {
  if (identity.mode === 'key') return identity.serviceAccount;
  return identity.serviceAccount ?? poolMember(identity.provider, subject);
}

function poolMember({ projectNumber, pool }: ProviderName, subject: string | undefined): string {
  const name = poolName(projectNumber, pool);
  return subject === undefined ? `principalSet:${name}/*` : `principal:${name}/subject/${subject}`;
}

/** The jobs of one repository, as roles are given to them. */
export function repositoryPrincipals({ projectNumber, pool }: ProviderName, repository: string): string {
  return `principalSet:${poolName(projectNumber, pool)}/attribute.repository/${repository}`;
}
