import type { Segment } from './run-segments';

/** The segments that run at the engine now, over all generations. */
export interface RunningSegments {
  readonly count: number;
  begin(segment: Segment): void;
  left(segment: Segment): void;
  interruptAll(): void;
  /** Ends when none runs any more; rejects with the signal's reason. */
  drained(signal: AbortSignal): Promise<void>;
}

export function createRunningSegments(): RunningSegments {
  const running = new Set<Segment>();
  const waiting = new Set<() => void>();
  return {
    get count() {
      return running.size;
    },
    begin: (segment) => {
      running.add(segment);
    },
    left: (segment) => {
      running.delete(segment);
      if (running.size === 0) for (const wake of waiting) wake();
    },
    interruptAll: () => {
      for (const segment of running) segment.interrupt();
    },
    drained: async (signal) => {
      signal.throwIfAborted();
      if (running.size > 0) await untilWoken(waiting, signal);
    },
  };
}

function untilWoken(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', abort);
    };
    const wake = (): void => {
      leave();
      resolve();
    };
    const abort = (): void => {
      leave();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    waiting.add(wake);
  });
}
