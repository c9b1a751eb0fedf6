import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@weir/foundation';
import { Secret } from '@weir/service-kit';
import { UserRole } from '@weir/workflow-contract';
import { parse } from 'yaml';
import { z } from 'zod';
import { GroupMappings } from '../../access/access-of-groups';
import {
  defaultGroupsClaim,
  defaultScopes,
  isSameIssuer,
  ownProviderId,
  type OidcSettings,
} from '../../config/external-sign-in-settings';
import { maxExpressionLength, type OidcConfig } from '../../config/oidc-config';
import { SecureAddress } from '../../oidc';

const maxProviders = 20;
const maxSecretLength = 4096;
const text = z.string().min(1).max(1024);
const lowerCaseTexts = z.array(text.toLowerCase()).max(1000).default([]);

const Provider = z
  .strictObject({
    id: z
      .string()
      .max(40)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words, joined by "-"'),
    label: z.string().min(1).max(60),
    issuer: SecureAddress,
    client_id: text,
    client_secret: z.string().min(1).max(maxSecretLength).optional(),
    client_secret_file: text.optional(),
    scopes: z
      .array(text)
      .max(50)
      .refine((list) => list.includes('openid'), 'must include openid')
      .default([...defaultScopes]),
    groups_claim: z.string().min(1).max(256).default(defaultGroupsClaim),
    group_mappings: GroupMappings.default(new Map()),
    role_expression: z.string().min(1).max(maxExpressionLength).optional(),
    default_role: z.union([UserRole, z.literal('none')], 'must be a role or none').default('viewer'),
    allowed_emails: lowerCaseTexts,
    allowed_domains: lowerCaseTexts,
    auto_signup: z.boolean().default(true),
    sync_roles: z.boolean().default(true),
    provider_sign_out: z.boolean().default(true),
  })
  .refine((provider) => provider.client_secret === undefined || provider.client_secret_file === undefined, {
    message: 'is there besides client_secret_file',
    path: ['client_secret'],
  });

/**
 * Loads the providers of a file, and returns them after the one of the variables. Rejects with `invalid_request`, reason
 * `oidc_providers_invalid`, for a file that cannot be used.
 */
export async function loadOidcProviders({ oidc, oidcProviders }: OidcConfig): Promise<readonly OidcSettings[]> {
  const own = oidc === undefined ? [] : [oidc];
  if (oidcProviders === undefined) return own;
  const { file, clientUrl } = oidcProviders;
  const providers = parseProviders(await read(file, `the file ${file}`));
  const settings = providers.map(async (provider) => toSettings(provider, clientUrl, await readSecret(provider, file)));
  return assertDistinct([...own, ...(await Promise.all(settings))]);
}

function parseProviders(content: string): readonly z.output<typeof Provider>[] {
  const parsed = z.array(Provider).max(maxProviders).safeParse(readYaml(content));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
}

function toSettings(
  provider: z.output<typeof Provider>,
  clientUrl: string,
  clientSecret: Secret | undefined,
): OidcSettings {
  const { id, label, issuer, scopes, default_role: defaultRole } = provider;
  return {
    id,
    issuer,
    clientId: provider.client_id,
    clientSecret,
    clientUrl,
    scopes,
    groupsClaim: provider.groups_claim,
    roleExpression: provider.role_expression,
    signsOutThere: provider.provider_sign_out,
    buttonLabel: label,
    rules: {
      allowedEmails: provider.allowed_emails,
      allowedDomains: provider.allowed_domains,
      createsUsers: provider.auto_signup,
      groupMappings: provider.group_mappings,
      defaultRole: defaultRole === 'none' ? undefined : defaultRole,
      syncsRoles: provider.sync_roles,
    },
  };
}

/** A file of a secret is relative to the file of the providers. */
async function readSecret(provider: z.output<typeof Provider>, file: string): Promise<Secret | undefined> {
  const { id, client_secret: given, client_secret_file: secretFile } = provider;
  if (secretFile === undefined) return given === undefined ? undefined : new Secret(given);
  const where = `client_secret_file of ${id}`;
  const secret = (await read(path.resolve(path.dirname(file), secretFile), where)).trim();
  if (secret === '' || secret.length > maxSecretLength) throw invalid(`${where} has no secret of usual length`);
  return new Secret(secret);
}

/** People are users by issuer and subject, so that two providers of one issuer would change the roles of the same users. */
function assertDistinct(providers: readonly OidcSettings[]): readonly OidcSettings[] {
  for (const [index, { id, issuer }] of providers.entries()) {
    const earlier = providers.slice(0, index);
    if (earlier.some((other) => other.id === id)) throw invalid(`the id ${id} is there twice`);
    if (earlier.some((other) => isSameIssuer(other.issuer, issuer)))
      throw invalid(`the issuer ${issuer} is there twice`);
    if (id === ownProviderId && index > 0) throw invalid(`the id ${id} is that of the variables`);
  }
  return providers;
}

function read(file: string, what: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw invalid(`${what} cannot be read`, cause);
  });
}

function readYaml(content: string): unknown {
  try {
    return parse(content, { maxAliasCount: 0 });
  } catch {
    // The message of the parser may quote a line with a secret.
    throw invalid('it is no YAML');
  }
}

function invalid(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `WEIR_OIDC_PROVIDERS_FILE: ${problem}.`, {
    reason: 'oidc_providers_invalid',
    cause,
  });
}
