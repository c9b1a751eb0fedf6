import type { AppError } from '@weir/errors';
import { maxSubjectBytes, subjectByteLength } from '@weir/oidc-claims';
import { defaultTokenAudience } from '../cloud/identifiers';
import { parseAccountProject } from '../inputs/account';
import type { Identity, Settings } from '../settings';
import type { JobInfo } from './job-info';
import { permissionsBlock } from './permission-hints';
import { findMissingRole } from './role-hints';
import { hclText, shellText } from './quote-text';
import type { Claims } from './token-claims';

/** Lines that fix the cause of a failure, ready to copy. */
export interface FixBlock {
  readonly title: string;
  /** Of the code block. */
  readonly language: string;
  readonly lines: readonly string[];
}

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
  if (details?.googleReason === 'SERVICE_DISABLED') return apiFixes(settings);
  if (reason === 'sts_refused') return providerFixes(settings.identity, context.claims, isMissing(details));
  return reason === 'iam_refused' ? roleFixes(settings, context) : [];
}

function isMissing(details: AppError['details']): boolean {
  return /invalid_target|not found|does not exist/i.test(
    `${String(details?.googleReason)} ${String(details?.description)}`,
  );
}

function apiFixes({ identity, projectId }: Settings): readonly FixBlock[] {
  const { serviceAccount = '' } = identity;
  const project = parseAccountProject(serviceAccount) ?? projectId ?? '<project>';
  const api = 'iamcredentials.googleapis.com';
  return [
    block('gcloud', 'sh', [`gcloud services enable ${api} --project=${shellText(project)}`]),
    block('Terraform', 'hcl', [
      'resource "google_project_service" "iam_credentials" {',
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

function providerFixes(identity: Identity, claims: Claims, isNew: boolean): readonly FixBlock[] {
  if (identity.mode === 'key') return [];
  const { projectNumber, pool, provider, name } = identity.provider;
  const issuer = textClaim(claims.iss) ?? 'https://token.actions.githubusercontent.com';
  const { mapping, condition } = chooseMapping(claims);
  const audiences = identity.audience === defaultTokenAudience(name) ? [] : [identity.audience];
  const pairs = Object.entries(mapping).map((pair) => pair.join('='));
  const poolOptions = `--project=${projectNumber} --location=global`;
  const gcloud = [
    ...(isNew ? [`gcloud iam workload-identity-pools create ${pool} ${poolOptions}`] : []),
    `gcloud iam workload-identity-pools providers ${isNew ? 'create' : 'update'}-oidc ${provider} \\`,
    `  ${poolOptions} --workload-identity-pool=${pool} \\`,
    `  --issuer-uri=${shellText(issuer)} \\`,
    `  --attribute-mapping=${shellText(pairs.join(','))} \\`,
    ...audiences.map((audience) => `  --allowed-audiences=${shellText(audience)} \\`),
    `  --attribute-condition=${shellText(condition)}`,
  ];
  const terraform = [
    'resource "google_iam_workload_identity_pool_provider" "ci" {',
    `  project                            = "${projectNumber}"`,
    `  workload_identity_pool_id          = "${pool}"`,
    `  workload_identity_pool_provider_id = "${provider}"`,
    `  attribute_condition                = ${hclText(condition)}`,
    '  attribute_mapping = {',
    ...Object.entries(mapping).map(([attribute, value]) => `    ${hclText(attribute)} = ${hclText(value)}`),
    '  }',
    '  oidc {',
    `    issuer_uri = ${hclText(issuer)}`,
    ...audiences.map((audience) => `    allowed_audiences = [${hclText(audience)}]`),
    '  }',
    '}',
  ];
  return [block('gcloud', 'sh', gcloud), block('Terraform', 'hcl', terraform)];
}

/** Trusts the repository of the job, or the subject of a token that names none. */
function chooseMapping(claims: Claims): {
  readonly mapping: Readonly<Record<string, string>>;
  readonly condition: string;
} {
  const subject = textClaim(claims.sub) ?? '<subject>';
  const repository = textClaim(claims.repository);
  if (repository === undefined) {
    return { mapping: { 'google.subject': 'assertion.sub' }, condition: `assertion.sub == "${subject}"` };
  }
  const isLong = subjectByteLength(subject) > maxSubjectBytes;
  return {
    mapping: {
      'google.subject': isLong ? 'assertion.repository_id + ":" + assertion.run_id' : 'assertion.sub',
      'attribute.repository': 'assertion.repository',
    },
    condition: `assertion.repository == "${repository}"`,
  };
}

/** Claims that could end the text of a condition are left out. */
function textClaim(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^"\\\p{Cc}]{1,1000}$/u.test(value) ? value : undefined;
}

function block(title: string, language: string, lines: readonly string[]): FixBlock {
  return { title, language, lines };
}
