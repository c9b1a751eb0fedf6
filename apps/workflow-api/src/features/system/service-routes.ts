import { hostname } from 'node:os';
import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { assertLocalNode } from '../remote-node';
import type { Coordinator } from './coordinator';

export interface ServiceRoutesDependencies {
  readonly startedAt: Date;
  readonly roles: () => readonly string[];
  readonly coordinator: Coordinator;
  readonly coordinatorUrl: string | undefined;
}

export function bindServiceRoutes(bind: Bind, dependencies: ServiceRoutesDependencies): void {
  const { roles, startedAt, coordinator, coordinatorUrl } = dependencies;

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

  bind(workflowContract.getCoordinatorStatus, async ({ input, principal, signal }) => {
    assertLocalNode(input.query);
    if (coordinatorUrl === undefined) return { coordinators: [] };
    const { hostname: host, port, protocol } = new URL(coordinatorUrl);
    const isActive = await coordinator.listWorkers(signal, principal).then(
      () => true,
      () => false,
    );
    const standardPort = protocol === 'https:' ? 443 : 80;
    return {
      coordinators: [
        {
          instanceId: new URL(coordinatorUrl).host,
          host,
          status: isActive ? ('active' as const) : ('inactive' as const),
          startedAt: '',
          port: port === '' ? standardPort : Number(port),
        },
      ],
    };
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
