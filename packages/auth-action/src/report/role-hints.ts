import type { Settings } from '../inputs/settings';
import type { JobInfo } from './job-info';
import { formatRepositoryPrincipals } from './principal';
import type { Claims } from './token-claims';

/** A role on a service account, and the principal that lacks it. */
export interface MissingRole {
  readonly account: string;
  readonly role: string;
  readonly member: string;
}

/** The role that is most likely missing; `undefined` in direct federation, which does not call IAM. */
export function findMissingRole(
  { identity, token, delegates }: Settings,
  job: JobInfo,
  claims: Claims,
): MissingRole | undefined {
  if (identity.serviceAccount === undefined) return undefined;
  const claimed = claims.repository;
  const repository = typeof claimed === 'string' ? claimed : (job.repository ?? '<owner>/<repository>');
  const member =
    identity.mode === 'key'
      ? `serviceAccount:${identity.key.clientEmail}`
      : formatRepositoryPrincipals(identity.provider, repository);
  const isSigning = token.kind === 'access_token' && token.subject !== undefined;
  const needsCreator = identity.mode === 'key' || isSigning;
  const role = `roles/iam.${needsCreator ? 'serviceAccountTokenCreator' : 'workloadIdentityUser'}`;
  return { account: delegates[0] ?? identity.serviceAccount, role, member };
}

/** The role that is most likely missing, with the command that grants it. */
export function roleHints(settings: Settings, job: JobInfo, claims: Claims): readonly string[] {
  const missing = findMissingRole(settings, job, claims);
  if (missing === undefined) return [];
  const { account, role, member } = missing;
  const chain =
    'In a delegation chain, each account needs roles/iam.serviceAccountTokenCreator on the next one, and the last one on service_account.';
  return [
    `Grant ${role} on ${account}:`,
    `  gcloud iam service-accounts add-iam-policy-binding "${account}" --role="${role}" --member="${member}"`,
    ...(settings.identity.mode === 'key'
      ? []
      : ['The provider must map attribute.repository to assertion.repository.']),
    ...(settings.delegates.length === 0 ? [] : [chain]),
  ];
}
