import { hostname } from 'node:os';
import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';

export interface ServiceRoutesDependencies {
  readonly startedAt: Date;
  readonly roles: () => readonly string[];
}

export function bindServiceRoutes(bind: Bind, dependencies: ServiceRoutesDependencies): void {
  const { roles, startedAt } = dependencies;

  bind(workflowContract.getSchedulerStatus, ({ input }) => {
    assertLocalNode(input.query);
    if (!roles().includes('scheduler')) return { schedulers: [] };
    const host = hostname();
    return {
      schedulers: [
        { instanceId: `${host}:${process.pid}`, host, status: 'active' as const, startedAt: startedAt.toISOString() },
      ],
    };
  });

  // Workers share the database with the servers; there is nothing between them.
  bind(workflowContract.getCoordinatorStatus, ({ input }) => {
    assertLocalNode(input.query);
    return { coordinators: [] };
  });

  bind(workflowContract.getTunnelStatus, ({ input }) => {
    assertLocalNode(input.query);
    return { enabled: false, status: 'disabled' as const };
  });

  bind(workflowContract.getLicenseStatus, ({ input }) => {
    assertLocalNode(input.query);
    return {
      ...{ valid: true, plan: 'free', expiry: '', features: [], gracePeriod: false, graceEndsAt: '' },
      ...{ community: true, source: 'none', warningCode: '', error: '' },
    };
  });
}
