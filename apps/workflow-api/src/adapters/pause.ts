import type { Timer } from '@weir/workflow-engine/model';

export function pause(timer: Timer, forMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || forMs <= 0) {
      resolve();
      return;
    }
    const end = (): void => {
      signal.removeEventListener('abort', end);
      cancel();
      resolve();
    };
    const cancel = timer.start(forMs, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
