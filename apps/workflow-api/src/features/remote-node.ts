import { AppError } from '@weir/errors';

/** Throws unless the call is meant for this server: web clients name a node on almost every call. */
export function assertLocalNode({ remoteNode }: { readonly remoteNode?: string | undefined }): void {
  if (remoteNode === undefined || remoteNode === '' || remoteNode === 'local') return;
  throw new AppError('invalid_request', 'This server has no other nodes; omit "remoteNode" out or send "local".', {
    reason: 'remote_node_unknown',
  });
}
