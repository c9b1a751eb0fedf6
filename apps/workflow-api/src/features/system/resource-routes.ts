import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { retainedMs, type ResourceHistory, type ResourceSample } from './resource-history';

export function bindResourceRoutes(bind: Bind, resources: Pick<ResourceHistory, 'since'>): void {
  bind(workflowContract.getResourceHistory, ({ input: { query } }) => {
    const samples = resources.since(Math.min(retainedMs, query.duration * 1000));
    const latest = samples.at(-1);
    const points = (valueOf: (sample: ResourceSample) => number) =>
      samples.map((sample) => ({ timestamp: Math.floor(sample.atMs / 1000), value: valueOf(sample) }));
    return {
      cpu: points(({ cpuPercent }) => cpuPercent),
      memory: points(({ memoryUsedBytes, memoryTotalBytes }) => percentage(memoryUsedBytes, memoryTotalBytes)),
      disk: points(({ diskUsedBytes, diskTotalBytes }) => percentage(diskUsedBytes, diskTotalBytes)),
      load: points(({ load }) => load),
      memoryTotalBytes: latest?.memoryTotalBytes ?? 0,
      memoryUsedBytes: latest?.memoryUsedBytes ?? 0,
      diskTotalBytes: latest?.diskTotalBytes ?? 0,
      diskUsedBytes: latest?.diskUsedBytes ?? 0,
    };
  });
}

function percentage(used: number, total: number): number {
  return total === 0 ? 0 : (100 * used) / total;
}
