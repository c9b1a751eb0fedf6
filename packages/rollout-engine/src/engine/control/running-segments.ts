import { createWaitList } from '@weir/foundation';

/** A part of a generation that runs at the engine. */
export interface Segment {
  /** The name of its adapter. */
  readonly adapterName: string | undefined;
  /** Ends the segment as if the engine had aborted it. */
  interrupt(): void;
  /** Fails the generation. */
  drop(): void;
}

/** The segments that run at the engine now, over all generations. */
export interface RunningSegments {
  readonly count: number;
  add(segment: Segment): void;
  remove(segment: Segment): void;
  interruptAll(): void;
  dropAll(): void;
  /** Interrupts or drops those with an adapter. */
  endThoseWith(adapterName: string, how: 'interrupt' | 'drop'): void;
  /** Resolves when no segment runs; rejects with the signal's reason. */
  waitUntilDrained(signal: AbortSignal): Promise<void>;
}

export function createRunningSegments(): RunningSegments {
  const running = new Set<Segment>();
  const waiting = createWaitList();
  return {
    get count() {
      return running.size;
    },
    add: (segment) => {
      running.add(segment);
    },
    remove: (segment) => {
      running.delete(segment);
      if (running.size === 0) waiting.wakeAll();
    },
    interruptAll: () => {
      for (const segment of running) segment.interrupt();
    },
    dropAll: () => {
      for (const segment of running) segment.drop();
    },
    endThoseWith: (adapterName, how) => {
      for (const segment of running) if (segment.adapterName === adapterName) segment[how]();
    },
    waitUntilDrained: async (signal) => {
      signal.throwIfAborted();
      if (running.size > 0) await waiting.wait(signal);
    },
  };
}
