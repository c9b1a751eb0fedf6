import { AppError } from '@weir/foundation';

export function remoteNodeNotFound(id: string): AppError {
  return new AppError('not_found', `There is no remote node with the id "${id}".`, { reason: 'remote_node_not_found' });
}

export function remoteNodeUnknown(name: string): AppError {
  return new AppError('invalid_request', `This server has no remote node "${name}".`, {
    reason: 'remote_node_unknown',
  });
}

export function remoteNodeUnsupported(operationId: string): AppError {
  return new AppError(
    'invalid_request',
    `The operation ${operationId} is about this server only: omit "remoteNode", or send "local".`,
    { reason: 'remote_node_unsupported' },
  );
}

export function remoteNodeLoop(): AppError {
  return new AppError('invalid_request', 'A node has passed on this request already; it is not passed on again.', {
    reason: 'remote_node_loop',
  });
}

export function remoteNodeNameTaken(name: string): AppError {
  return new AppError('conflict', `There is a remote node "${name}" already.`, { reason: 'remote_node_name_taken' });
}

export function remoteNodeConfigured(name: string): AppError {
  return new AppError('forbidden', `The node "${name}" is one of the configuration; change it there.`, {
    reason: 'remote_node_configured',
  });
}

export function credentialsMissing(what: string): AppError {
  return new AppError('invalid_request', `${what} must be given.`, { reason: 'remote_node_credentials_missing' });
}

export function remoteNodeFailed(name: string, problem: string, details: { readonly status?: number } = {}): AppError {
  return new AppError('upstream_failed', `The node "${name}" ${problem}.`, {
    reason: 'remote_node_failed',
    details: { remoteNode: name, ...details },
  });
}

export function remoteNodeTimeout(name: string, timeoutMs: number): AppError {
  return new AppError('upstream_timeout', `The node "${name}" did not answer within ${timeoutMs / 1000} seconds.`, {
    reason: 'remote_node_timeout',
    details: { remoteNode: name },
  });
}
