import { JsonScanner } from './json-scanner';
import { isSpace } from './space';

/** Text that is read while it comes. Readers are generators that stop where the text does and go on with the next piece. */
export interface TextSource {
  text: string;
  /** Everything before this position is read; a reader never goes back. */
  at: number;
  ended: boolean;
}

/** `cut`: the text ended before it was decided. `bad`: the character at the source's position does not fit. */
export type Reading = 'ok' | 'bad' | 'cut';
export type Reader<Result> = Generator<undefined, Result, undefined>;

/** The next character's code without taking it, or -1 when the text has ended. */
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

/** Takes text up to a character that `isEnd` knows, without that one. Nothing when it is cut off or longer than `max`. */
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
 * Reads one JSON value and hands on its text as it comes. `bad` as soon as it is longer than `max`: at that very
 * character, so that what follows is read the same however the text was cut.
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
