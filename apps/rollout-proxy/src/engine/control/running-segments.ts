/** A part of a generation that runs at the engine. */
export interface Segment {
  /** Ends the segment as if the engine had aborted it. */
  interrupt(): void;
}

/** The segments that run at the engine now, over all generations. */
export interface RunningSegments {
  readonly count: number;
  add(segment: Segment): void;
  remove(segment: Segment): void;
  interruptAll(): void;
  /** Ends when none runs any more; rejects with the signal's reason. */
  waitUntilDrained(signal: AbortSignal): Promise<void>;
}

export function createRunningSegments(): RunningSegments {
  const running = new Set<Segment>();
  const waiting = new Set<() => void>();
  return {
    get count() {
      return running.size;
    },
    add: (segment) => {
      running.add(segment);
    },
    remove: (segment) => {
      running.delete(segment);
      if (running.size === 0) for (const wake of waiting) wake();
    },
    interruptAll: () => {
      for (const segment of running) segment.interrupt();
    },
    waitUntilDrained: async (signal) => {
      signal.throwIfAborted();
      if (running.size > 0) await waitForWake(waiting, signal);
    },
  };
}

function waitForWake(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cleanUp = (): void => {
      waiting.delete(wake);
      signal.removeEventListener('abort', abort);
    };
    const wake = (): void => {
      cleanUp();
      resolve();
    };
    const abort = (): void => {
      cleanUp();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    waiting.add(wake);
  });
}
