import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** From this size on the heap of young objects no longer grows. */
const enoughBytes = 8 * 1024 * 1024;

/**
 * Keeps V8 from doubling the heap of young objects up to 64 MB while the server is busy. What is young is then collected
 * more often, and what is old moves out of it in smaller pieces. It shrinks by itself when memory is given back, and may
 * grow again after that. Looks after each collection, so that an idle server does nothing.
 */
export function limitYoungHeap(): void {
  let isLimited = false;
  const observer = new PerformanceObserver(() => {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    if (size >= enoughBytes === isLimited) return;
    isLimited = !isLimited;
    // V8 multiplies the size by this when much has survived.
    setFlagsFromString(`--semi-space-growth-factor=${isLimited ? 1 : 2}`);
  });
  observer.observe({ entryTypes: ['gc'] });
}
