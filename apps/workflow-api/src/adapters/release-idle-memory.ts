import { performance } from 'node:perf_hooks';
import type { Resource } from '@weir/service-kit';
import { startInterval } from './start-interval';
import { releaseMemory } from './release-memory';

export interface MemoryUse {
  /** The share of the time since the last check in which the process was busy. */
  readonly utilization: number;
  /** The size of the heap in bytes, with its unused pages. */
  readonly heapBytes: number;
  /** The size after memory was last given back; undefined before the first time. */
  readonly releasedBytes: number | undefined;
}

const lookMs = 15_000;
const idleUtilization = 0.1;
const growthBytes = 64 * 1024 * 1024;

/** Whether the start or a busy time left much on the heap, and nobody notices a pause. */
export function isReleaseDue({ utilization, heapBytes, releasedBytes }: MemoryUse): boolean {
  if (utilization >= idleUtilization) return false;
  return releasedBytes === undefined || heapBytes - releasedBytes > growthBytes;
}

/**
 * Gives memory back after the start, which needs it to load modules, and after a busy time. V8 rarely collects the
 * heap of a machine with much memory, and never once nothing is allocated any more.
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
