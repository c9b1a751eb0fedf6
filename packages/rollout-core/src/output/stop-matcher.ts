import { createTextSearch } from '../call-text/text-search';

export interface StopMatch {
  /** Text that precedes any stop string. May be empty. */
  readonly text: string;
  /** The stop string that occurred; it and everything after it are not part of the answer. */
  readonly stop?: string;
}

/** Cuts an answer at the first stop string. Text that may begin one is buffered until that is decided. */
export interface StopMatcher {
  push(text: string): StopMatch;
  /** Ends the text and returns what was buffered. */
  end(): string;
}

/**
 * Cuts at the stop string that is complete first; of two that end at one position, at the longer one. So the result does not
 * depend on how the text is split into pieces. After a stop string, further text is dropped.
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
