import { createTextSearch } from './text-search';

export interface StopMatch {
  /** Text that is now known to come before any stop text. May be empty. */
  readonly text: string;
  /** The stop text that was met; it and everything behind it is not part of the answer. */
  readonly stop?: string;
}

/** Cuts an answer at the first of its stop texts. Text that may begin one is held back until that is settled. */
export interface StopMatcher {
  push(text: string): StopMatch;
  /** No more text comes: what was held back. */
  end(): string;
}

/**
 * The cut is at the stop text that is complete first; of two that end at one place, at the longer one. So the result is
 * the same however the text was cut into pieces. After a stop text was met, what is pushed is dropped.
 *
 * @param stops empty ones are ignored.
 */
export function createStopMatcher(stops: readonly string[]): StopMatcher {
  const patterns = stops.filter((stop) => stop !== '');
  const search = createTextSearch(patterns);
  let held = '';
  let stopped = false;

  return {
    push(text) {
      if (stopped) return { text: '' };
      if (patterns.length === 0) return { text };
      const end = search.feed(text, 0);
      if (end < 0) {
        const known = held + text;
        held = search.held();
        return { text: known.slice(0, known.length - held.length) };
      }
      const stop = patterns[search.found()] ?? '';
      const known = held + text.slice(0, end);
      held = '';
      stopped = true;
      return { text: known.slice(0, known.length - stop.length), stop };
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}
