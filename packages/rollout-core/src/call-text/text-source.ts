import { JsonScanner } from './json-scanner';
import { isSpace } from './space';
import { createTextSearch } from './text-search';

/** Text that is read while it arrives. Readers are generators that suspend at its end and resume with the next piece. */
export interface TextSource {
  text: string;
  /** The position of the reader, which never goes back. */
  at: number;
  ended: boolean;
}

/** `cut`: the text ended too early. `bad`: the character at the source's position is not allowed. */
export type Reading = 'ok' | 'bad' | 'cut';
export type Reader<Result> = Generator<undefined, Result, undefined>;

/** The next character's code without consuming it, or -1 at the end of the text. */
export function* peek(source: TextSource): Reader<number> {
  while (source.at >= source.text.length) {
    if (source.ended) return -1;
    yield;
  }
  return source.text.charCodeAt(source.at);
}

export function* skipSpace(source: TextSource): Reader<void> {
  while (isSpace(yield* peek(source))) source.at++;
}

export function* readLiteral(source: TextSource, literal: string): Reader<Reading> {
  for (let index = 0; index < literal.length; index++) {
    const code = yield* peek(source);
    if (code < 0) return 'cut';
    if (code !== literal.charCodeAt(index)) return 'bad';
    source.at++;
  }
  return 'ok';
}

/** Consumes text up to a character for which `isEnd` holds. `undefined` when it is cut off or longer than `max`. */
export function* readUntil(
  source: TextSource,
  isEnd: (code: number) => boolean,
  max: number,
): Reader<string | undefined> {
  let read = '';
  for (;;) {
    const code = yield* peek(source);
    if (code < 0 || read.length > max) return undefined;
    if (isEnd(code)) return read;
    read += source.text.charAt(source.at);
    source.at++;
  }
}

/**
 * Consumes text through the first of `ends`, whose index is `end`; `text` is what comes before it. `end` is -1 when the
 * text is cut off or longer than `max`.
 */
export function* readThrough(
  source: TextSource,
  ends: readonly string[],
  max: number,
): Reader<{ readonly text: string; readonly end: number }> {
  const search = createTextSearch(ends);
  const pieces: string[] = [];
  let length = 0;
  for (;;) {
    if ((yield* peek(source)) < 0 || length >= max) return { text: pieces.join(''), end: -1 };
    const most = Math.min(source.text.length, source.at + max - length);
    const found = search.feed(source.text, source.at, most);
    const upTo = found < 0 ? most : found;
    pieces.push(source.text.slice(source.at, upTo));
    length += upTo - source.at;
    source.at = upTo;
    if (found < 0) continue;
    const end = search.found();
    return { text: pieces.join('').slice(0, -(ends[end] ?? '').length), end };
  }
}

/** Consumes text through the first of `ends` and passes on what is before it as it arrives. -1 when the text ends. */
export function* passThrough(
  source: TextSource,
  ends: readonly string[],
  onText: (text: string) => void,
): Reader<number> {
  const search = createTextSearch(ends);
  let held = '';
  const pass = (text: string): void => {
    if (text !== '') onText(text);
  };
  for (;;) {
    if ((yield* peek(source)) < 0) {
      pass(held);
      return -1;
    }
    const from = source.at;
    const found = search.feed(source.text, from);
    source.at = found < 0 ? source.text.length : found;
    const known = held + source.text.slice(from, source.at);
    held = found < 0 ? search.held() : '';
    const end = ends[search.found()] ?? '';
    pass(known.slice(0, known.length - (found < 0 ? held : end).length));
    if (found >= 0) return search.found();
  }
}

/** `index` is -1 at the first character that fits no choice, and where the text ends; `read` was consumed. */
export interface Choice {
  readonly index: number;
  readonly read: string;
}

/** Reads one of several texts, none of which begins another. */
export function* readChoice(source: TextSource, texts: readonly string[]): Reader<Choice> {
  let read = '';
  for (;;) {
    const code = yield* peek(source);
    const next = code < 0 ? '' : read + source.text.charAt(source.at);
    if (code < 0 || !texts.some((text) => text.startsWith(next))) return { index: -1, read };
    source.at++;
    read = next;
    const index = texts.indexOf(read);
    if (index >= 0) return { index, read };
  }
}

/**
 * Reads one JSON value and passes its text on as it arrives. `bad` at the character at which it exceeds `max`, so that the
 * result does not depend on how the text is split.
 */
export function* readJson(source: TextSource, max: number, onText: (text: string) => void): Reader<Reading> {
  const scanner = new JsonScanner();
  let remaining = max;
  for (;;) {
    if ((yield* peek(source)) < 0) return scanner.endsHere() ? 'ok' : 'cut';
    if (remaining === 0) return 'bad';
    const from = source.at;
    source.at = scanner.feed(source.text, from, Math.min(source.text.length, from + remaining));
    remaining -= source.at - from;
    if (source.at > from) onText(source.text.slice(from, source.at));
    if (scanner.status !== 'open') return scanner.status === 'whole' ? 'ok' : 'bad';
  }
}
