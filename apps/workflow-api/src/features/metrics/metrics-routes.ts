import { requireRoleEverywhere } from '../../access/access-rules';
import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';

export function bindMetricsRoutes(bind: Bind, readMetrics: () => Promise<string>): void {
  bind(workflowContract.getMetrics, ({ principal }) => {
    // They name DAGs of all workspaces. Who may come without a credential is for the operator to say.
    if (principal.kind !== 'anonymous') requireRoleEverywhere(principal, 'viewer');
    return readMetrics();
  });
}
