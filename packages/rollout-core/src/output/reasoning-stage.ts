import type { OutputEvent } from './output-event';
import { endOfText, firstNonSpace } from './space';
import { createTextSearch } from './text-search';

export interface ReasoningTags {
  readonly open: string;
  readonly close: string;
  /** The template may have opened the block already, so the answer begins inside it. */
  readonly startsInside: boolean;
}

/** Takes the reasoning block off the front of an answer and hands the rest on. */
export interface ReasoningStage {
  push(text: string): { readonly events: readonly OutputEvent[]; readonly rest: string };
  end(): { readonly events: readonly OutputEvent[]; readonly rest: string };
}

/** A block opens only before any other text: an answer may write about the tags, and so may the arguments of a call. */
export function createReasoningStage(tags: ReasoningTags): ReasoningStage {
  const search = createTextSearch([tags.close]);
  const reasoning = createReasoningWriter();
  let place: 'before' | 'inside' | 'behind' | 'rest' = 'before';
  let space = '';
  let begun = '';
  let held = '';

  /** Answers what comes behind the open tag, once it is known whether there is one. */
  const readFront = (text: string): string => {
    const at = begun === '' ? firstNonSpace(text) : 0;
    space += text.slice(0, at);
    begun += text.slice(at);
    if (begun.length < tags.open.length && tags.open.startsWith(begun)) return '';
    const isOpened = begun.startsWith(tags.open);
    place = isOpened || tags.startsInside ? 'inside' : 'rest';
    return isOpened ? begun.slice(tags.open.length) : space + begun;
  };

  const readInside = (text: string): string => {
    const end = search.feed(text, 0);
    const known = held + (end < 0 ? text : text.slice(0, end));
    held = end < 0 ? search.held() : '';
    reasoning.write(known.slice(0, known.length - (end < 0 ? held : tags.close).length));
    if (end < 0) return '';
    place = 'behind';
    return text.slice(end);
  };

  const readBehind = (text: string): string => {
    const at = firstNonSpace(text);
    if (at < text.length) place = 'rest';
    return text.slice(at);
  };

  return {
    push(text) {
      let rest = text;
      if (place === 'before') rest = readFront(rest);
      if (place === 'inside') rest = readInside(rest);
      if (place === 'behind') rest = readBehind(rest);
      return { events: reasoning.take(), rest: place === 'rest' ? rest : '' };
    },
    end() {
      if (place === 'inside') reasoning.write(held);
      if (place !== 'before') return { events: reasoning.take(), rest: '' };
      if (tags.startsInside) reasoning.write(space + begun);
      return { events: reasoning.take(), rest: tags.startsInside ? '' : space + begun };
    },
  };
}

/** Whitespace at either end of the block is not told. */
function createReasoningWriter() {
  let events: OutputEvent[] = [];
  let space = '';
  let hasText = false;
  return {
    write(text: string) {
      const end = endOfText(text);
      if (end === 0) {
        space += text;
        return;
      }
      const start = hasText ? 0 : firstNonSpace(text);
      const told = (hasText ? space : '') + text.slice(start, end);
      events.push({ kind: 'reasoning', text: told });
      space = text.slice(end);
      hasText = true;
    },
    take(): readonly OutputEvent[] {
      const told = events;
      events = [];
      return told;
    },
  };
}
