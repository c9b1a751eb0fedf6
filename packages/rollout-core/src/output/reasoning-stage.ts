import type { OutputEvent } from './output-event';
import { findTextEnd, findTextStart } from '../call-text/space';
import { createTextSearch } from '../call-text/text-search';

export interface ReasoningTags {
  readonly open: string;
  readonly close: string;
  /** The template may have opened the block already, so the answer begins inside it. */
  readonly startsInside: boolean;
}

/** Extracts the reasoning block at the start of an answer and passes the rest on. */
export interface ReasoningStage {
  push(text: string): { readonly events: readonly OutputEvent[]; readonly rest: string };
  end(): { readonly events: readonly OutputEvent[]; readonly rest: string };
}

/** A block opens only before any other text: an answer or the arguments of a call may mention the tags. */
export function createReasoningStage(tags: ReasoningTags): ReasoningStage {
  const search = createTextSearch([tags.close]);
  const reasoning = createReasoningWriter();
  let state: 'before' | 'inside' | 'behind' | 'rest' = 'before';
  let space = '';
  let opening = '';
  let held = '';

  /** Returns what follows the open tag, once it is known whether there is one. */
  const readFront = (text: string): string => {
    const at = opening === '' ? findTextStart(text) : 0;
    space += text.slice(0, at);
    opening += text.slice(at);
    if (opening.length < tags.open.length && tags.open.startsWith(opening)) return '';
    const isOpened = opening.startsWith(tags.open);
    state = isOpened || tags.startsInside ? 'inside' : 'rest';
    return isOpened ? opening.slice(tags.open.length) : space + opening;
  };

  const readInside = (text: string): string => {
    const end = search.feed(text, 0);
    const known = held + (end < 0 ? text : text.slice(0, end));
    held = end < 0 ? search.held() : '';
    reasoning.write(known.slice(0, known.length - (end < 0 ? held : tags.close).length));
    if (end < 0) return '';
    state = 'behind';
    return text.slice(end);
  };

  const readAfter = (text: string): string => {
    const at = findTextStart(text);
    if (at < text.length) state = 'rest';
    return text.slice(at);
  };

  return {
    push(text) {
      let rest = text;
      if (state === 'before') rest = readFront(rest);
      if (state === 'inside') rest = readInside(rest);
      if (state === 'behind') rest = readAfter(rest);
      return { events: reasoning.take(), rest: state === 'rest' ? rest : '' };
    },
    end() {
      if (state === 'inside') reasoning.write(held);
      if (state !== 'before') return { events: reasoning.take(), rest: '' };
      if (tags.startsInside) reasoning.write(space + opening);
      return { events: reasoning.take(), rest: tags.startsInside ? '' : space + opening };
    },
  };
}

/** Omits whitespace at either end of the block. */
function createReasoningWriter() {
  let events: OutputEvent[] = [];
  let space = '';
  let hasText = false;
  return {
    write(text: string) {
      const end = findTextEnd(text);
      if (end === 0) {
        space += text;
        return;
      }
      const start = hasText ? 0 : findTextStart(text);
      const reasoning = (hasText ? space : '') + text.slice(start, end);
      events.push({ kind: 'reasoning', text: reasoning });
      space = text.slice(end);
      hasText = true;
    },
    take(): readonly OutputEvent[] {
      const emitted = events;
      events = [];
      return emitted;
    },
  };
}
