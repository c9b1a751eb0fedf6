import { maxSubjectBytes, subjectByteLength } from '@weir/oidc-claims';
import { defaultTokenAudience } from '../inputs/identifiers';
import type { Identity } from '../inputs/settings';
import type { FixBlock } from './fix-block';
import { hclText, shellText } from './quote-text';
import type { Claims } from './token-claims';

type Federation = Extract<Identity, { readonly mode: 'federation' }>;

/** Lines for a pool and a provider that do not exist. */
export function newProviderFixes(identity: Federation, claims: Claims): readonly FixBlock[] {
  const { projectNumber, pool, provider, name } = identity.provider;
  const issuer = textClaim(claims.iss) ?? 'https://token.actions.githubusercontent.com';
  const mapping = chooseMapping(claims);
  const { condition, meaning } = chooseCondition(claims);
  const audiences = identity.audience === defaultTokenAudience(name) ? [] : [identity.audience];
  const pairs = Object.entries(mapping).map((pair) => pair.join('='));
  const gcloud = [
    `gcloud iam workload-identity-pools create ${pool} --project=${projectNumber} --location=global`,
    `# The condition accepts ${meaning}.`,
    `gcloud iam workload-identity-pools providers create-oidc ${provider} \\`,
    `  ${placeOptions(identity)} \\`,
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
    `  # Accepts ${meaning}.`,
    `  attribute_condition = ${hclText(condition)}`,
    '  attribute_mapping = {',
    ...Object.entries(mapping).map(([attribute, value]) => `    ${hclText(attribute)} = ${hclText(value)}`),
    '  }',
    '  oidc {',
    `    issuer_uri = ${hclText(issuer)}`,
    ...audiences.map((audience) => `    allowed_audiences = [${hclText(audience)}]`),
    '  }',
    '}',
  ];
  return [
    { title: 'gcloud', language: 'sh', lines: gcloud },
    { title: 'Terraform', language: 'hcl', lines: terraform },
  ];
}

/**
 * Lines for an existing provider, which other repositories may use too: they add to its condition or audiences, and
 * replace nothing.
 */
export function existingProviderFixes(identity: Federation, claims: Claims, description: string): readonly FixBlock[] {
  if (/audience/i.test(description)) return audienceFixes(identity);
  if (/mapped attribute|attribute mapping|google\.subject|issuer/i.test(description)) return [showProvider(identity)];
  return conditionFixes(identity, claims);
}

function conditionFixes(identity: Federation, claims: Claims): readonly FixBlock[] {
  const { provider } = identity.provider;
  const { condition, meaning } = chooseCondition(claims);
  return [
    {
      title: 'gcloud, if the condition is the cause',
      language: 'sh',
      lines: [
        `condition=$(${describeProvider(identity)} --format='value(attributeCondition)')`,
        `# Adds ${meaning} to what the condition accepts already.`,
        `gcloud iam workload-identity-pools providers update-oidc ${provider} \\`,
        `  ${placeOptions(identity)} \\`,
        `  --attribute-condition="($condition) || "${shellText(condition)}`,
      ],
    },
    {
      title: 'Terraform, if the condition is the cause: in the provider, after the condition that it has',
      language: 'hcl',
      lines: [`# Adds ${meaning}.`, `attribute_condition = ${hclText(`(<condition>) || ${condition}`)}`],
    },
  ];
}

function audienceFixes(identity: Federation): readonly FixBlock[] {
  const { provider, name } = identity.provider;
  const accepted = defaultTokenAudience(name);
  return [
    {
      title: 'gcloud',
      language: 'sh',
      lines: [
        `audiences=$(${describeProvider(identity)} --format='value[delimiter=","](oidc.allowedAudiences)')`,
        '# Without a list, a provider accepts its own name only.',
        `gcloud iam workload-identity-pools providers update-oidc ${provider} \\`,
        `  ${placeOptions(identity)} \\`,
        `  --allowed-audiences="\${audiences:-${accepted}},"${shellText(identity.audience)}`,
      ],
    },
  ];
}

function showProvider(identity: Federation): FixBlock {
  return { title: 'gcloud, to compare', language: 'sh', lines: [describeProvider(identity)] };
}

function describeProvider(identity: Federation): string {
  return `gcloud iam workload-identity-pools providers describe ${identity.provider.provider} ${placeOptions(identity)}`;
}

function placeOptions({ provider: { projectNumber, pool } }: Federation): string {
  return `--project=${projectNumber} --location=global --workload-identity-pool=${pool}`;
}

function chooseMapping(claims: Claims): Readonly<Record<string, string>> {
  const subject = { 'google.subject': 'assertion.sub' };
  if (textClaim(claims.repository) === undefined) return subject;
  const isLong = subjectByteLength(textClaim(claims.sub) ?? '') > maxSubjectBytes;
  return {
    ...(isLong ? { 'google.subject': 'assertion.repository_id + ":" + assertion.run_id' } : subject),
    'attribute.repository': 'assertion.repository',
  };
}

/** Uses ids, because names can be given to others; the subject of a token without ids. */
function chooseCondition(claims: Claims): { readonly condition: string; readonly meaning: string } {
  const id = textClaim(claims.repository_id);
  if (id !== undefined) {
    const repository = textClaim(claims.repository) ?? id;
    return { condition: `assertion.repository_id == "${id}"`, meaning: `the repository ${repository}` };
  }
  const subject = textClaim(claims.sub) ?? '<subject>';
  return { condition: `assertion.sub == "${subject}"`, meaning: 'the subject of this job' };
}

/** Claims that could end the text of a condition are left out. */
function textClaim(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^"\\\p{Cc}]{1,1000}$/u.test(value) ? value : undefined;
}
