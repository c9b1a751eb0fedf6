import type { Worker } from 'node:worker_threads';

const intervalMs = 25;
/** Takes several samples, because memory above the limit may be garbage that is about to be collected. */
const samplesAbove = 4;
const resampleAfter = 4;
/** Memory above this is not tolerated for a single sample. */
const graceBytes = 512 * 1024 * 1024;

/**
 * Samples the memory of a thread and calls `onAbove` once when it exceeds the limit. Returns a function that stops it. The
 * resource limits of a thread do not help: one large allocation beyond them ends the process.
 */
export function watchMemory(worker: Worker, limitMb: number, onAbove: () => void): () => void {
  const limit = limitMb * 1024 * 1024;
  let above = 0;
  let pendingSamples = 0;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const sample = async (): Promise<void> => {
    const bytes = await usedBytes(worker);
    pendingSamples = 0;
    if (isOver) return;
    above = bytes > limit ? above + 1 : 0;
    if (above < samplesAbove && bytes <= limit + graceBytes) return;
    stop();
    onAbove();
  };
  const timer = setInterval(() => {
    // A busy thread responds late, and some requests are never answered.
    if (pendingSamples % resampleAfter === 0) void sample();
    pendingSamples += 1;
  }, intervalMs);
  return stop;
}

async function usedBytes(worker: Worker): Promise<number> {
  try {
    const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics();
    return heap + external;
  } catch {
    // The thread has ended, which its events report.
    return 0;
  }
}
