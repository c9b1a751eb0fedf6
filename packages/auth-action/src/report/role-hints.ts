import type { Settings } from '../settings';
import type { JobInfo } from './job-info';
import { formatRepositoryPrincipals } from './principal';
import type { Claims } from './token-claims';

/** The role that is most likely missing, with the command that grants it. */
export function roleHints(settings: Settings, job: JobInfo, claims: Claims): readonly string[] {
  const { identity, token, delegates } = settings;
  const account = identity.serviceAccount;
  // Direct federation does not call IAM.
  if (account === undefined) return [];
  const first = delegates[0] ?? account;
  const claimed = claims.repository;
  const repository = typeof claimed === 'string' ? claimed : (job.repository ?? '<owner>/<repository>');
  const member =
    identity.mode === 'key'
      ? `serviceAccount:${identity.key.clientEmail}`
      : formatRepositoryPrincipals(identity.provider, repository);
  const isSigning = token.kind === 'access_token' && token.subject !== undefined;
  const needsCreator = identity.mode === 'key' || isSigning;
  const role = `roles/iam.${needsCreator ? 'serviceAccountTokenCreator' : 'workloadIdentityUser'}`;
  const chain =
    'In a delegation chain, each account needs roles/iam.serviceAccountTokenCreator on the next one, and the last one on service_account.';
  return [
    `Grant ${role} on ${first}:`,
    `  gcloud iam service-accounts add-iam-policy-binding "${first}" --role="${role}" --member="${member}"`,
    ...(identity.mode === 'key' ? [] : ['The provider must map attribute.repository to assertion.repository.']),
    ...(delegates.length === 0 ? [] : [chain]),
  ];
}
