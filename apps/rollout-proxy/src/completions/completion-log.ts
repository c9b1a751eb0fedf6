import { createWaitList } from '@weir/service-kit';
import type { CompletionEvent } from './completion';

/** A turn under way, told from its beginning to everybody who follows it. */
export interface CompletionLog {
  /** Whether it was broken off because nobody follows it any more. */
  readonly isAbandoned: boolean;
  /** Ends when the turn does, and rejects as it does. The turn is broken off when the last follower has left. */
  follow(signal: AbortSignal): AsyncGenerator<CompletionEvent, void, undefined>;
  /** Resolves when the turn is over: whether it was done to its end. Never rejects. */
  readonly settled: Promise<boolean>;
}

interface Outcome {
  readonly error?: unknown;
}

function isDone(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && !('error' in outcome);
}

/** Begins the work at once; it tells what happens through `emit` and is to end soon once its signal is aborted. */
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
        // Of a turn that is over there is nothing to break off.
        if (isAbandoned && outcome === undefined) controller.abort();
      }
    },
  };
}
