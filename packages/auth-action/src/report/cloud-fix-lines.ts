import type { AppError } from '@weir/foundation';
import type { AwsSettings, AzureSettings, CloudSettings } from '../inputs/cloud-settings';
import type { FixBlock } from './fix-block';
import { hclText, shellText } from './quote-text';
import type { Claims } from './token-claims';

/** Lines that let the role or the application trust the token of the job. */
export function listCloudFixes(
  { reason }: AppError,
  clouds: CloudSettings | undefined,
  claims: Claims,
): readonly FixBlock[] {
  if (reason === 'aws_refused' && clouds?.aws !== undefined) return awsFixes(clouds.aws, claims);
  return reason === 'azure_refused' && clouds?.azure !== undefined ? azureFixes(clouds.azure, claims) : [];
}

function awsFixes({ roles, audience }: AwsSettings, claims: Claims): readonly FixBlock[] {
  const issuer = readText(claims.iss, '<issuer>');
  const host = issuer.replace('https://', '');
  const [, partition = 'aws', account = '', role = ''] =
    /^arn:([\w-]+):iam::(\d+):role\/(?:.*\/)?(.+)$/.exec(roles[0] ?? '') ?? [];
  const provider = `arn:${partition}:iam::${account}:oidc-provider/${host}`;
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Federated: provider },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { StringEquals: { [`${host}:aud`]: audience, [`${host}:sub`]: readText(claims.sub, '<subject>') } },
      },
    ],
  };
  return [
    {
      title: 'AWS CLI',
      language: 'sh',
      lines: [
        '# Once per account:',
        `aws iam create-open-id-connect-provider --url ${shellText(issuer)} --client-id-list ${shellText(audience)}`,
        `aws iam update-assume-role-policy --role-name ${shellText(role)} \\`,
        `  --policy-document ${shellText(JSON.stringify(policy))}`,
      ],
    },
    {
      title: 'Terraform',
      language: 'hcl',
      lines: [
        'resource "aws_iam_openid_connect_provider" "ci" {',
        `  url            = ${hclText(issuer)}`,
        `  client_id_list = [${hclText(audience)}]`,
        '}',
        'resource "aws_iam_role" "ci" {',
        `  name               = ${hclText(role)}`,
        `  assume_role_policy = ${hclText(JSON.stringify(policy))}`,
        '}',
      ],
    },
  ];
}

function azureFixes({ clientId, credential }: AzureSettings, claims: Claims): readonly FixBlock[] {
  if (clientId === undefined || credential.kind !== 'federated') return [];
  const { audience } = credential;
  const issuer = readText(claims.iss, '<issuer>');
  const subject = readText(claims.sub, '<subject>');
  const parameters = JSON.stringify({ name: 'ci', issuer, subject, audiences: [audience] });
  return [
    {
      title: 'Azure CLI',
      language: 'sh',
      lines: [`az ad app federated-credential create --id ${clientId} \\`, `  --parameters ${shellText(parameters)}`],
    },
    {
      title: 'Terraform',
      language: 'hcl',
      lines: [
        `data "azuread_application" "ci" {`,
        `  client_id = "${clientId}"`,
        '}',
        'resource "azuread_application_federated_identity_credential" "ci" {',
        '  application_id = data.azuread_application.ci.id',
        '  display_name   = "ci"',
        `  issuer         = ${hclText(issuer)}`,
        `  subject        = ${hclText(subject)}`,
        `  audiences      = [${hclText(audience)}]`,
        '}',
      ],
    },
  ];
}

function readText(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
