import { readFile } from 'node:fs/promises';
import { AppError } from '@weir/foundation';
import { remoteNodeAddress, remoteNodeAuthTypes, remoteNodeName } from '@weir/workflow-contract/schemas';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ConfiguredNode, NodeCredentials } from './remote-node';

export const usualNodeTimeoutMs = 30_000;

const credential = z
  .string()
  .min(1)
  .max(8192)
  .regex(/^[^\r\n\0]*$/, 'must be one line')
  .optional();

const Node = z
  .strictObject({
    name: remoteNodeName,
    description: z.string().max(1000).default(''),
    api_base_url: remoteNodeAddress,
    auth_type: z.enum(remoteNodeAuthTypes).default('none'),
    basic_auth_username: credential,
    basic_auth_password: credential,
    auth_token: credential,
    skip_tls_verify: z.boolean().default(false),
    timeout: z.number().min(1).max(600).optional(),
  })
  .transform((node): ConfiguredNode => ({
    name: node.name,
    description: node.description,
    authType: node.auth_type,
    apiBaseUrl: node.api_base_url.replace(/\/+$/, ''),
    skipTlsVerify: node.skip_tls_verify,
    credentials: toCredentials(node),
    timeoutMs: node.timeout === undefined ? usualNodeTimeoutMs : node.timeout * 1000,
  }))
  .refine(({ authType, credentials }) => (authType === 'none') === (credentials === undefined), {
    message: 'basic needs basic_auth_username and basic_auth_password, token needs auth_token',
    path: ['auth_type'],
  });

const File = z.object({
  remote_nodes: z
    .array(Node)
    .max(100)
    .refine((nodes) => new Set(nodes.map(({ name }) => name)).size === nodes.length, 'two nodes have the same name'),
});

/** Loads the nodes of a file. Rejects with `invalid_request`, reason `remote_nodes_invalid`, when it cannot be used. */
export async function loadConfiguredNodes(file: string | undefined): Promise<readonly ConfiguredNode[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw invalid(`The file ${file} of WEIR_REMOTE_NODES_FILE cannot be read.`, cause);
  });
  return parseConfiguredNodes(text, file);
}

/** Throws the same error. */
export function parseConfiguredNodes(text: string, file: string): readonly ConfiguredNode[] {
  const parsed = File.safeParse(readYaml(text, file));
  if (parsed.success) return parsed.data.remote_nodes;
  const [issue] = parsed.error.issues;
  // The message never contains the value, which may be a credential.
  throw invalid(`The file ${file} is not valid at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`);
}

function toCredentials(node: {
  readonly auth_type: string;
  readonly basic_auth_username?: string | undefined;
  readonly basic_auth_password?: string | undefined;
  readonly auth_token?: string | undefined;
}): NodeCredentials {
  const { basic_auth_username: username, basic_auth_password: password, auth_token: token } = node;
  if (node.auth_type === 'token' && token !== undefined) return { token };
  if (node.auth_type === 'basic' && username !== undefined && password !== undefined) return { username, password };
  return undefined;
}

function readYaml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch {
    // The message of the parser may quote a line with a credential.
    throw invalid(`The file ${file} is no YAML.`);
  }
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('invalid_request', message, { reason: 'remote_nodes_invalid', cause });
}
