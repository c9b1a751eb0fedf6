import { hostname } from 'node:os';
import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';

export interface ServiceRoutesDependencies {
  readonly startedAt: Date;
  readonly roles: () => readonly string[];
}

export function bindServiceRoutes(bind: Bind, dependencies: ServiceRoutesDependencies): void {
  const { roles, startedAt } = dependencies;

  bind(workflowContract.getSchedulerStatus, () => {
    if (!roles().includes('scheduler')) return { schedulers: [] };
    const host = hostname();
    return {
      schedulers: [
        { instanceId: `${host}:${process.pid}`, host, status: 'active' as const, startedAt: startedAt.toISOString() },
      ],
    };
  });

  // Workers share the database with the servers, without a coordinator in between.
  bind(workflowContract.getCoordinatorStatus, () => {
    return { coordinators: [] };
  });

  bind(workflowContract.getTunnelStatus, () => {
    return { enabled: false, status: 'disabled' as const };
  });

  bind(workflowContract.getLicenseStatus, () => {
    return {
      valid: true,
      plan: 'free',
      expiry: '',
      features: [],
      gracePeriod: false,
      graceEndsAt: '',
      community: true,
      source: 'none',
      warningCode: '',
      error: '',
    };
  });

  bind(workflowContract.activateLicense, () => {
    return { plan: 'free', features: [], expiry: '' };
  });

  bind(workflowContract.deactivateLicense, () => {
    return { message: 'There is no licence. Every feature is free.' };
  });
}
