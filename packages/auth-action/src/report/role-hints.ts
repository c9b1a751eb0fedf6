import type { Settings } from '../settings';
import type { JobFacts } from './job-facts';
import { repositoryPrincipals } from './principal';
import type { Claims } from './token-claims';

/** The role that is most likely missing, with the command that gives it. */
export function roleHints(settings: Settings, facts: JobFacts, claims: Claims): readonly string[] {
  const { identity, token, delegates } = settings;
  const account = identity.serviceAccount;
  // In direct federation no call of this kind is made.
  if (account === undefined) return [];
  const first = delegates[0] ?? account;
  const claimed = claims.repository;
  const repository = typeof claimed === 'string' ? claimed : (facts.repository ?? '<owner>/<repository>');
  const member =
    identity.mode === 'key'
      ? `serviceAccount:${identity.key.clientEmail}`
      : repositoryPrincipals(identity.provider, repository);
  const isSigning = token.kind === 'access_token' && token.subject !== undefined;
  const needsCreator = identity.mode === 'key' || isSigning;
  const role = `roles/iam.${needsCreator ? 'serviceAccountTokenCreator' : 'workloadIdentityUser'}`;
  const chain =
    'In a chain of delegates, each account needs roles/iam.serviceAccountTokenCreator on the next one, the last on service_account.';
  return [
    `Give ${role} on ${first}:`,
    `  gcloud iam service-accounts add-iam-policy-binding "${first}" --role="${role}" --member="${member}"`,
    ...(identity.mode === 'key' ? [] : ['The provider has to map attribute.repository to assertion.repository.']),
    ...(delegates.length === 0 ? [] : [chain]),
  ];
}
