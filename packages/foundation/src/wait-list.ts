/** Waiters for one event that may happen again. */
export interface WaitList {
  /** Resolves at the next `wakeAll`. An aborted signal rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<void>;
  wakeAll(): void;
}

export function createWaitList(): WaitList {
  let waiting = new Set<() => void>();
  return {
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const wake = (): void => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        const abort = (): void => {
          waiting.delete(wake);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.add(wake);
      }),
    wakeAll: () => {
      const woken = waiting;
      waiting = new Set();
      for (const wake of woken) wake();
    },
  };
}
