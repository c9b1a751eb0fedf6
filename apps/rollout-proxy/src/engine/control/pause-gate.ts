import { AppError } from '@weir/errors';

/** Lets everybody through while open; those who come while it is closed wait. */
export interface PauseGate {
  close(): void;
  open(): void;
  isClosed(): boolean;
  /** Rejects with the signal's reason, or as `unavailable` (`paused`) after the longest wait. */
  pass(signal: AbortSignal): Promise<void>;
}

export function createPauseGate(maxWaitMs: number): PauseGate {
  let isClosed = false;
  let waiting = new Set<() => void>();
  const waitForOpen = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const cleanUp = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        waiting.delete(wake);
      };
      const wake = (): void => {
        cleanUp();
        resolve();
      };
      const abort = (): void => {
        cleanUp();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        cleanUp();
        reject(new AppError('unavailable', 'Generation is paused.', { reason: 'paused' }));
      }, maxWaitMs);
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(wake);
    });
  return {
    close: () => {
      isClosed = true;
    },
    open: () => {
      isClosed = false;
      const waiters = waiting;
      waiting = new Set();
      for (const wake of waiters) wake();
    },
    isClosed: () => isClosed,
    pass: async (signal) => {
      signal.throwIfAborted();
      // Once more after waking: it may have been closed again meanwhile.
      while (isClosed) await waitForOpen(signal);
    },
  };
}
