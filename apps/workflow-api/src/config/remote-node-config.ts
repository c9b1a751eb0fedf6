import type { Variables, VariableValues } from '@weir/service-kit';
import { z } from 'zod';
import type { Folders } from './config-values';

/** Settings for the other servers that requests are passed on to. */
export const remoteNodeVariables = {
  WEIR_REMOTE_NODES_FILE: {
    schema: z.string().min(1).max(4096).optional(),
    defaultText: 'none',
    description: 'YAML file with remote nodes, below `remote_nodes`; read at the start. Admins register others.',
  },
} as const satisfies Variables;

export interface RemoteNodeConfig {
  /** The path is absolute. */
  readonly remoteNodes: { readonly nodesFile: string | undefined };
}

export function readRemoteNodeConfig(
  { WEIR_REMOTE_NODES_FILE: file }: VariableValues<typeof remoteNodeVariables>,
  { absolute }: Folders,
): RemoteNodeConfig {
  return { remoteNodes: { nodesFile: file === undefined ? undefined : absolute(file) } };
}
