import { isAppError } from '@weir/foundation';
import { workflowContract } from '@weir/workflow-contract';
import { readNodeAnswer } from './node-answer';
import type { NodeHealth } from './node-health';
import { requestNode } from './node-request';
import type { ReachableNode } from './reach-node';
import { remoteNodeFailed } from './remote-node-errors';

export interface ConnectionTest {
  readonly success: boolean;
  readonly message?: string;
  readonly error?: string;
}

const testTimeoutMs = 5_000;

/** Lists one DAG of the node, in the same way as passed requests. */
export async function testConnection(
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
