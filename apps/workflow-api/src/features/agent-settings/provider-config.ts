import { readFile } from 'node:fs/promises';
import { AppError } from '@weir/foundation';
import { Secret } from '@weir/service-kit';
import { parse } from 'yaml';
import { z } from 'zod';
import { SecureAddress } from '../../oidc';

/** A provider with which the server signs in, so that models are called with its token in place of an API key. */
export interface ModelLoginProvider {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Missing for a public client, which PKCE alone protects. */
  readonly clientSecret: Secret | undefined;
  readonly scopes: readonly string[];
  /** The address that is registered at the provider. No server has to answer there, because the admin copies the address. */
  readonly redirectUri: string;
  /** Only models at this origin are called with the token. */
  readonly baseUrl: string;
}

const text = z.string().min(1).max(1024);

const Providers = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words, joined by "-"'),
      name: text,
      issuer: SecureAddress,
      client_id: text,
      client_secret: text.max(4096).optional(),
      scopes: z.array(text).max(50).default(['openid', 'offline_access']),
      redirect_uri: SecureAddress,
      base_url: SecureAddress,
    }),
  )
  .max(50);

/**
 * Loads the providers of a file. Rejects with `invalid_request`, reason `agent_providers_invalid`, for a file that
 * cannot be used.
 */
export async function loadModelLoginProviders(file: string): Promise<readonly ModelLoginProvider[]> {
  const content = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw invalid(`the file ${file} cannot be read`, cause);
  });
  return parseModelLoginProviders(content);
}

export function parseModelLoginProviders(content: string): readonly ModelLoginProvider[] {
  const parsed = Providers.safeParse(readYaml(content));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
  }
  const ids = parsed.data.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw invalid(`the id ${twice} is there twice`);
  return parsed.data.map(({ id, name, issuer, scopes, ...others }) => ({
    id,
    name,
    issuer,
    scopes,
    clientId: others.client_id,
    redirectUri: others.redirect_uri,
    clientSecret: others.client_secret === undefined ? undefined : new Secret(others.client_secret),
    baseUrl: others.base_url,
  }));
}

function readYaml(content: string): unknown {
  try {
    return parse(content, { maxAliasCount: 0 });
  } catch (cause) {
    throw invalid('it is no YAML', cause);
  }
}

function invalid(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `WEIR_AGENT_PROVIDERS_FILE: ${problem}.`, {
    reason: 'agent_providers_invalid',
    cause,
  });
}
