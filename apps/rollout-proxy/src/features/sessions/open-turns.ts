/** The model calls of a session that are under way. */
export interface OpenTurns {
  readonly count: () => number;
  begin(): { readonly signal: AbortSignal; close(): void };
  /** Resolves when none is under way any more, or after that time. */
  settle(sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>, waitMs: number): Promise<void>;
  breakOff(reason: Error): void;
}

export function createOpenTurns(): OpenTurns {
  const turns = new Set<AbortController>();
  let whenNone: (() => void)[] = [];

  return {
    count: () => turns.size,
    begin: () => {
      const controller = new AbortController();
      turns.add(controller);
      return {
        signal: controller.signal,
        close: () => {
          turns.delete(controller);
          if (turns.size > 0) return;
          for (const resume of whenNone) resume();
          whenNone = [];
        },
      };
    },
    settle: async (sleep, waitMs) => {
      if (turns.size === 0) return;
      const over = new AbortController();
      const none = new Promise<void>((resolve) => whenNone.push(resolve));
      await Promise.race([none, sleep(waitMs, over.signal).catch(() => undefined)]);
      over.abort();
    },
    breakOff: (reason) => {
      for (const turn of turns) turn.abort(reason);
    },
  };
}
