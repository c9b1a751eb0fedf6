import { requireRoleEverywhere } from '../../access/access-rules';
import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';

export function bindMetricsRoutes(bind: Bind, readMetrics: () => Promise<string>): void {
  bind(workflowContract.getMetrics, ({ principal }) => {
    // The metrics name DAGs of all workspaces. The operator decides whether they need a credential.
    if (principal.kind !== 'anonymous') requireRoleEverywhere(principal, 'viewer');
    return readMetrics();
  });
}
