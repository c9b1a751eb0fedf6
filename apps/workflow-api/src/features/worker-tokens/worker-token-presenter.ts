import type { WorkerToken as WireWorkerToken } from '@weir/workflow-contract/schemas';
import type { WorkerToken } from './worker-token';

export function presentWorkerToken({ name, labels, createdAt, createdBy, lastUsedAt }: WorkerToken): WireWorkerToken {
  return {
    name,
    labels: { ...labels },
    createdAt: createdAt.toISOString(),
    createdBy,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
