import type { Sealer } from '../../encryption';
import { usualNodeTimeoutMs } from './configured-nodes';
import { nodeSealContext, type ConfiguredNode, type NodeCredentials, type StoredNode } from './remote-node';

/** Everything that a request to a node needs. */
export interface ReachableNode {
  readonly name: string;
  readonly apiBaseUrl: string;
  /** Value of the header; missing without credentials. */
  readonly authorization: string | undefined;
  readonly skipTlsVerify: boolean;
  readonly timeoutMs: number;
}

/** Opens the credentials of a stored node. Rejects with the errors of the sealer. */
export async function reachStored(node: StoredNode, sealer: Sealer): Promise<ReachableNode> {
  const { id, sealed } = node;
  const text = sealed === undefined ? undefined : await sealer.open(sealed, nodeSealContext(id));
  const credentials = text === undefined ? undefined : (JSON.parse(text) as NodeCredentials);
  return reachConfigured({ ...node, credentials, timeoutMs: usualNodeTimeoutMs });
}

export function reachConfigured(node: Omit<ConfiguredNode, 'description' | 'authType'>): ReachableNode {
  const { name, apiBaseUrl, skipTlsVerify, timeoutMs, credentials } = node;
  return { name, apiBaseUrl, skipTlsVerify, timeoutMs, authorization: toHeader(credentials) };
}

function toHeader(credentials: NodeCredentials): string | undefined {
  if (credentials === undefined) return undefined;
  if ('token' in credentials) return `Bearer ${credentials.token}`;
  return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
}
