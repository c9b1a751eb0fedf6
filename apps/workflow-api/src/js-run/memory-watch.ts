import type { Worker } from 'node:worker_threads';

const intervalMs = 25;
/** What is above the limit may be garbage that is about to be collected. */
const samplesAbove = 4;
const resampleAfter = 4;
/** So far above the limit nothing is waited for. */
const graceBytes = 512 * 1024 * 1024;

/**
 * Looks at the memory of a thread until it is told to stop, and says so once when it is above the limit. The limits
 * that a thread has itself are no help: one large allocation beyond them ends the process.
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
    // A thread in the middle of one long operation answers late, and some questions it never answers.
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
    // The thread is gone, and its end is told of by its events.
    return 0;
  }
}
