import { performance } from 'node:perf_hooks';
import type { Resource } from '@weir/service-kit';
import { startInterval } from './start-interval';
import { releaseMemory } from './release-memory';

export interface MemoryUse {
  /** The share of the time in which the process had something to do, since the last look. */
  readonly utilization: number;
  /** Bytes of the heap with its unused pages. */
  readonly heapBytes: number;
  /** The same after memory was given back last; undefined before the first time. */
  readonly releasedBytes: number | undefined;
}

const lookMs = 15_000;
const idleUtilization = 0.1;
const growthBytes = 64 * 1024 * 1024;

/** Whether the start or a busy time left much on the heap, and a pause is noticed by nobody. */
export function isReleaseDue({ utilization, heapBytes, releasedBytes }: MemoryUse): boolean {
  if (utilization >= idleUtilization) return false;
  return releasedBytes === undefined || heapBytes - releasedBytes > growthBytes;
}

/**
 * Gives memory back after the start, which needs it to load modules, and after a busy time. The heap of a machine with
 * much memory is collected rarely, and once nothing is allocated any more, not at all.
 */
export function releaseIdleMemory(): Resource {
  let releasedBytes: number | undefined;
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (!isReleaseDue({ utilization, heapBytes: process.memoryUsage().heapTotal, releasedBytes })) return;
    releaseMemory();
    releasedBytes = process.memoryUsage().heapTotal;
  };
  const end = startInterval(lookMs, look);
  return {
    name: 'memory',
    stop: () => {
      end();
      return Promise.resolve();
    },
  };
}
