import { JsonScanner } from './json-scanner';
import { isSpace } from './space';

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
