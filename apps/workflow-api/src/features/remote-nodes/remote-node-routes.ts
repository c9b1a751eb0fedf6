import { workflowContract } from '@weir/workflow-contract';
import type { RemoteNodeResponse } from '@weir/workflow-contract/schemas';
import { isAppError } from '@weir/foundation';
import type { Bind } from '../../access/bind';
import type { NodeHealth } from './node-health';
import { configuredPrefix, type AnyNode, type RemoteNodeService } from './remote-node-service';
import { readNodeAnswer } from './node-answer';
import { requestNode } from './node-request';
import type { ReachableNode } from './reach-node';
import { remoteNodeFailed } from './remote-node-errors';

export function bindRemoteNodeRoutes(bind: Bind, nodes: RemoteNodeService, health: NodeHealth): void {
  const show = (node: AnyNode): RemoteNodeResponse => present(node, health);

  bind(workflowContract.listRemoteNodes, async () => ({ remoteNodes: (await nodes.list()).map(show) }));

  bind(workflowContract.createRemoteNode, async ({ input: { body }, principal, audit }) => {
    const created = await nodes.create(body, principal);
    await audit.record({ resourceId: created.id, after: describe(show(created)) });
    return show(created);
  });

  bind(workflowContract.getRemoteNode, async ({ input: { params } }) => show(await nodes.get(params.remoteNodeId)));

  bind(workflowContract.updateRemoteNode, async ({ input: { params, body }, audit }) => {
    const { before, after } = await nodes.update(params.remoteNodeId, body);
    await audit.record({ before: describe(show(before)), after: describe(show(after)) });
    return show(after);
  });

  bind(workflowContract.deleteRemoteNode, async ({ input: { params }, audit }) => {
    await audit.record({ before: describe(show(await nodes.remove(params.remoteNodeId))) });
  });

  bind(workflowContract.testRemoteNodeConnection, async ({ input: { params }, signal }) =>
    testConnection(await nodes.reach(await nodes.get(params.remoteNodeId)), health, signal),
  );
}

/** The credentials of a node are never presented. */
function present(node: AnyNode, health: NodeHealth): RemoteNodeResponse {
  const { name, description, apiBaseUrl, authType, skipTlsVerify } = node;
  const shared = {
    name,
    apiBaseUrl,
    authType,
    skipTlsVerify,
    health: health.get(name),
    ...(description === '' ? {} : { description }),
  };
  if (!('id' in node)) {
    const hasCredentials = node.credentials !== undefined;
    return { id: `${configuredPrefix}${name}`, ...shared, hasCredentials, source: 'config' };
  }
  return {
    id: node.id,
    ...shared,
    hasCredentials: node.sealed !== undefined,
    source: 'store',
    createdAt: node.createdAt.toISOString(),
    updatedAt: node.updatedAt.toISOString(),
  };
}

/** Describes the node for the audit log. */
function describe({ health: _, ...node }: RemoteNodeResponse): object {
  return node;
}

interface ConnectionTest {
  readonly success: boolean;
  readonly message?: string;
  readonly error?: string;
}

const testTimeoutMs = 5_000;

/** Lists one DAG of the node, in the same way as passed requests. */
async function testConnection(
  { timeoutMs, ...given }: ReachableNode,
  health: NodeHealth,
  signal: AbortSignal,
): Promise<ConnectionTest> {
  const node = { ...given, timeoutMs: Math.min(timeoutMs, testTimeoutMs) };
  try {
    await health.note(node.name, async () => {
      const headers = { accept: 'application/json' };
      const response = await requestNode(node, { method: 'GET', path: '/dags?limit=1', headers, signal });
      const { status } = await readNodeAnswer(node, workflowContract.listDags, response);
      if (status >= 300) throw remoteNodeFailed(node.name, `answered ${status}`, { status });
    });
    return { success: true, message: `The node "${node.name}" lists its DAGs.` };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { success: false, error: error.message };
  }
}
