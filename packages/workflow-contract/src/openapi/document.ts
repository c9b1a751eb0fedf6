import { emitOpenApi } from '@weir/http-contract/openapi';
import { ErrorResponse } from '../common/errors';
import { workflowContract } from '../contract';

const tags = [
  { name: 'dags', description: 'Create and manage DAG definitions' },
  { name: 'calendars', description: 'Business days that schedules follow' },
  { name: 'dag-runs', description: 'History and logs of runs' },
  { name: 'system', description: 'Server monitoring and management' },
  { name: 'monitoring', description: 'Metrics in Prometheus form' },
  { name: 'queues', description: 'Queues of runs' },
  { name: 'search', description: 'Search in definitions and documents' },
  { name: 'settings', description: 'Settings of the server' },
  { name: 'workspaces', description: 'Workspaces of DAGs and runs' },
  { name: 'auth', description: 'Authentication' },
  { name: 'users', description: 'Users (admin only)' },
  { name: 'api-keys', description: 'API keys (admin only)' },
  { name: 'worker-tokens', description: 'Tokens of workers that speak to this server (admin only)' },
  { name: 'profiles', description: 'Variables and secrets that runs are started with' },
  { name: 'secrets', description: 'Secrets of workspaces (manager or admin only)' },
  { name: 'webhooks', description: 'Start DAGs from outside' },
  { name: 'notifications', description: 'Be told of events of runs' },
  { name: 'audit', description: 'Audit log (admin only)' },
  { name: 'audit', description: 'Audit log: changes and sign-ins, in a chain of hashes (manager or admin only)' },
  { name: 'events', description: 'Operational event log (manager or admin only)' },
  { name: 'sync', description: 'Git synchronisation of DAGs' },
  { name: 'agent', description: 'Sessions with the agent, and its configuration (admin only)' },
  { name: 'docs', description: 'Documents' },
  { name: 'remote-nodes', description: 'Remote nodes (admin only)' },
] as const;

const defaultDescription =
  'Unexpected error. Also 400 (text_unusable) for strings that cannot be stored, such as with a NUL character, 403 (cross_site) ' +
  'for a mutating request from a page of another site, 403 (host_not_allowed) for a Host that is not one of this server, 413 ' +
  '(body_too_large), 431 (headers_too_large) for an address and headers of more than 16 KiB, and 503 (database_busy, database_unreachable, storage_full): try again. ' +
  'Where "remoteNode" names another node: whatever that node answers, 400 (remote_node_unknown, remote_node_unsupported, ' +
  'remote_node_loop), 403 (role_missing), 502 (remote_node_failed) and 504 (remote_node_timeout).';

/** The description of the workflow API; `serverUrl` is the path below which it is served. */
export function workflowOpenApi(serverUrl: string): ReturnType<typeof emitOpenApi> {
  const endpoints = Object.values(workflowContract);
  const used = new Set<string>(endpoints.map((endpoint) => endpoint.tag));
  return emitOpenApi({
    title: 'Weir workflow API',
    version: '1.0.0',
    description: 'Stores DAG definitions and executes them.',
    serverUrl,
    tags: tags.filter((tag) => used.has(tag.name)),
    endpoints,
    errorSchema: ErrorResponse,
    defaultDescription,
  });
}
