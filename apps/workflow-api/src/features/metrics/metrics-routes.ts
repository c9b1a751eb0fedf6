import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';

export function bindMetricsRoutes(bind: Bind, readMetrics: () => Promise<string>): void {
  bind(workflowContract.getMetrics, ({ input: { query } }) => {
    assertLocalNode(query);
    return readMetrics();
  });
}
