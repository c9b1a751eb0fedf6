import type { WorkerIdentity } from '../features/worker';

export function aWorker(values: Partial<WorkerIdentity> & Pick<WorkerIdentity, 'id'>): WorkerIdentity {
  const given = { host: 'here', pid: 1, startedAt: new Date(), labels: {}, maxRuns: 50, version: '1.0.0' };
  return { ...given, ...values };
}
