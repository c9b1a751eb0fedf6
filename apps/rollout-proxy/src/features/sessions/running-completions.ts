import { createWaitList } from '@weir/foundation';

/** The completions of a session that run now. */
export interface RunningCompletions {
  readonly count: () => number;
  start(): { readonly signal: AbortSignal; end(): void };
  /** Resolves when no completion runs any more, or after that time. */
  waitUntilIdle(sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>, waitMs: number): Promise<void>;
  abortAll(reason: Error): void;
}

export function createRunningCompletions(): RunningCompletions {
  const controllers = new Set<AbortController>();
  const idle = createWaitList();

  return {
    count: () => controllers.size,
    start: () => {
      const controller = new AbortController();
      controllers.add(controller);
      return {
        signal: controller.signal,
        end: () => {
          controllers.delete(controller);
          if (controllers.size === 0) idle.wakeAll();
        },
      };
    },
    waitUntilIdle: async (sleep, waitMs) => {
      if (controllers.size === 0) return;
      const over = new AbortController();
      await Promise.race([idle.wait(over.signal), sleep(waitMs, over.signal)]);
      over.abort();
    },
    abortAll: (reason) => {
      for (const controller of controllers) controller.abort(reason);
    },
  };
}
