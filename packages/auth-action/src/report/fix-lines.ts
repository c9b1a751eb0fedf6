import type { AppError } from '@weir/foundation';
import { parseAccountProject } from '../inputs/account';
import type { Identity, Settings } from '../inputs/settings';
import type { FixBlock } from './fix-block';
import type { JobInfo } from './job-info';
import { permissionsBlock } from './permission-hints';
import { existingProviderFixes, newProviderFixes } from './provider-fixes';
import { findMissingRole } from './role-hints';
import { hclText, shellText } from './quote-text';
import type { Claims } from './token-claims';

export interface FixContext {
  readonly settings: Settings | undefined;
  readonly job: JobInfo;
  readonly claims: Claims;
}

/** Empty if no line of configuration fixes the failure. */
export function listFixes({ reason, details }: AppError, context: FixContext): readonly FixBlock[] {
  if (reason === 'id_token_permission_missing') return [block('Workflow', 'yaml', permissionsBlock)];
  const { settings } = context;
  if (settings === undefined) return [];
  if (details?.googleReason === 'SERVICE_DISABLED') return apiFixes(settings, details.service === 'sts');
  if (reason === 'sts_refused') return providerFixes(settings.identity, context.claims, details);
  return reason === 'iam_refused' ? roleFixes(settings, context) : [];
}

function isMissing(details: AppError['details']): boolean {
  return /invalid_target|not found|does not exist/i.test(
    `${String(details?.googleReason)} ${String(details?.description)}`,
  );
}

/** The token service belongs to the project of the pool, the credentials API to that of the account. */
function apiFixes({ identity, projectId }: Settings, isTokenService: boolean): readonly FixBlock[] {
  const { serviceAccount = '' } = identity;
  const accountProject = parseAccountProject(serviceAccount) ?? projectId ?? '<project>';
  const project = isTokenService && identity.mode === 'federation' ? identity.provider.projectNumber : accountProject;
  const api = isTokenService ? 'sts.googleapis.com' : 'iamcredentials.googleapis.com';
  return [
    block('gcloud', 'sh', [`gcloud services enable ${api} --project=${shellText(project)}`]),
    block('Terraform', 'hcl', [
      'resource "google_project_service" "api" {',
      `  project = ${hclText(project)}`,
      `  service = "${api}"`,
      '}',
    ]),
  ];
}

function roleFixes(settings: Settings, { job, claims }: FixContext): readonly FixBlock[] {
  const missing = findMissingRole(settings, job, claims);
  if (missing === undefined) return [];
  const { account, role, member } = missing;
  const project = parseAccountProject(account) ?? '-';
  return [
    block('gcloud', 'sh', [
      `gcloud iam service-accounts add-iam-policy-binding ${shellText(account)} \\`,
      `  --role=${role} \\`,
      `  --member=${shellText(member)}`,
    ]),
    block('Terraform', 'hcl', [
      'resource "google_service_account_iam_member" "ci" {',
      `  service_account_id = ${hclText(`projects/${project}/serviceAccounts/${account}`)}`,
      `  role               = "${role}"`,
      `  member             = ${hclText(member)}`,
      '}',
    ]),
  ];
}

function providerFixes(identity: Identity, claims: Claims, details: AppError['details']): readonly FixBlock[] {
  if (identity.mode === 'key') return [];
  if (isMissing(details)) return newProviderFixes(identity, claims);
  return existingProviderFixes(identity, claims, String(details?.description));
}

function block(title: string, language: string, lines: readonly string[]): FixBlock {
  return { title, language, lines };
}
