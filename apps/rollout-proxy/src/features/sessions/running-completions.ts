/** The model calls of a session that are under way. */
export interface RunningCompletions {
  readonly count: () => number;
  start(): { readonly signal: AbortSignal; end(): void };
  /** Resolves when none is under way any more, or after that time. */
  waitUntilIdle(sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>, waitMs: number): Promise<void>;
  abortAll(reason: Error): void;
}

export function createRunningCompletions(): RunningCompletions {
  const controllers = new Set<AbortController>();
  let idleListeners: (() => void)[] = [];

  return {
    count: () => controllers.size,
    start: () => {
      const controller = new AbortController();
      controllers.add(controller);
      return {
        signal: controller.signal,
        end: () => {
          controllers.delete(controller);
          if (controllers.size > 0) return;
          for (const resume of idleListeners) resume();
          idleListeners = [];
        },
      };
    },
    waitUntilIdle: async (sleep, waitMs) => {
      if (controllers.size === 0) return;
      const over = new AbortController();
      const idle = new Promise<void>((resolve) => idleListeners.push(resolve));
      await Promise.race([idle, sleep(waitMs, over.signal).catch(() => undefined)]);
      over.abort();
    },
    abortAll: (reason) => {
      for (const controller of controllers) controller.abort(reason);
    },
  };
}
