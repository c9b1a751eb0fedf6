import { isSpace } from './space';
import { peek, type Choice, type Reader, type TextSource } from './text-source';
import { createTextSearch } from './text-search';

export interface TaggedValueForm {
  readonly closer: string;
  /** Reads what must come after the closer; `index` is -1 where something else does. */
  readonly readFollower: (source: TextSource) => Reader<Choice>;
  /** What was read of the value already; it does not contain the closer. Default: nothing. */
  readonly begun?: string;
}

/**
 * Reads a value that has no escapes. A closer ends it only where one of the followers comes next, spaces aside, so that
 * a value may contain the closer itself. Consumes the follower. `undefined` when it is cut off or longer than `max`.
 */
export function* readTaggedValue(
  source: TextSource,
  { closer, readFollower, begun = '' }: TaggedValueForm,
  max: number,
): Reader<{ readonly value: string; readonly follower: number } | undefined> {
  const search = createTextSearch([closer]);
  const pieces: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    pieces.push(text);
    length += text.length;
  };
  add(begun);
  search.feed(begun, 0);
  for (;;) {
    if ((yield* peek(source)) < 0 || length >= max) return undefined;
    const most = Math.min(source.text.length, source.at + max - length);
    const end = search.feed(source.text, source.at, most);
    const from = source.at;
    source.at = end < 0 ? most : end;
    add(source.text.slice(from, source.at));
    if (end < 0) continue;
    const space = yield* readSpace(source, max - length);
    const { index, read } = yield* readFollower(source);
    if (index >= 0) return { value: pieces.join('').slice(0, -closer.length), follower: index };
    // The closer belongs to the value, and so does what was read to find that out.
    add(space + read);
    search.feed(space + read, 0);
  }
}

function* readSpace(source: TextSource, max: number): Reader<string> {
  let space = '';
  while (space.length < max && isSpace(yield* peek(source))) {
    space += source.text.charAt(source.at);
    source.at++;
  }
  return space;
}
