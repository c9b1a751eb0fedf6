import { createWaitList } from '@weir/foundation';
import type { CompletionEvent } from './completion';

/** The events of a running completion, replayed from the start to every follower. */
export interface CompletionLog {
  /** Whether it was aborted because its last follower disconnected. */
  readonly isAbandoned: boolean;
  /** Ends and rejects as the completion does. When the last follower leaves the loop, the completion is aborted. */
  follow(signal: AbortSignal): AsyncGenerator<CompletionEvent, void, undefined>;
  /** Resolves when the completion has ended, with whether it succeeded. Never rejects. */
  readonly settled: Promise<boolean>;
}

interface Outcome {
  readonly error?: unknown;
}

function isDone(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && !('error' in outcome);
}

/** Starts the work at once. It reports events through `emit` and must end soon after its signal is aborted. */
export function createCompletionLog(
  work: (emit: (event: CompletionEvent) => void, signal: AbortSignal) => Promise<void>,
): CompletionLog {
  const controller = new AbortController();
  const events: CompletionEvent[] = [];
  const news = createWaitList();
  let followers = 0;
  let isAbandoned = false;
  let outcome: Outcome | undefined;
  const emit = (event: CompletionEvent): void => {
    events.push(event);
    news.wakeAll();
  };
  const settled = work(emit, controller.signal).then(
    () => {
      outcome = {};
      news.wakeAll();
      return true;
    },
    (error: unknown) => {
      outcome = { error };
      news.wakeAll();
      return false;
    },
  );
  return {
    get isAbandoned() {
      return isAbandoned && !isDone(outcome);
    },
    settled,
    follow: async function* (signal) {
      followers += 1;
      try {
        for (let at = 0; ;) {
          const event = events[at];
          if (event !== undefined) {
            at += 1;
            yield event;
          } else if (outcome !== undefined) {
            if ('error' in outcome) throw outcome.error;
            return;
          } else {
            await news.wait(signal);
          }
        }
      } finally {
        followers -= 1;
        isAbandoned ||= followers === 0;
        // A completion that has ended cannot be aborted.
        if (isAbandoned && outcome === undefined) controller.abort();
      }
    },
  };
}
