import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The heap of young objects does not grow beyond this size. */
const enoughBytes = 8 * 1024 * 1024;

/**
 * Keeps V8 from doubling the heap of young objects up to 64 MB while the server is busy. Young objects are then
 * collected more often, and old ones are moved out in smaller pieces. The heap shrinks by itself when memory is given
 * back, and may grow again after that. The size is checked after each collection, so that an idle server does
 * nothing.
 */
export function limitYoungHeap(): void {
  let isLimited = false;
  setGrowth(isLimited);
  const observer = new PerformanceObserver(() => {
    const size = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    if (size >= enoughBytes === isLimited) return;
    isLimited = !isLimited;
    setGrowth(isLimited);
  });
  observer.observe({ entryTypes: ['gc'] });
}

/** V8 multiplies the size by this factor when many objects have survived. */
function setGrowth(isLimited: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${isLimited ? 1 : 2}`);
}
