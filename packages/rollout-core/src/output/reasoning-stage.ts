import type { OutputEvent } from './output-event';
import type { ReasoningFormat } from '../families/model-family';
import { findTextEnd, findTextStart } from '../call-text/space';
import type { TextSource } from '../call-text/text-source';
import { createTextSearch } from '../call-text/text-search';

type ReasoningTags = Pick<ReasoningFormat, 'open' | 'close' | 'startsInside' | 'interruptedBy' | 'closesUnopened'>;

/** Extracts the reasoning of an answer and passes the rest on. */
export interface ReasoningStage {
  push(text: string): { readonly events: readonly OutputEvent[]; readonly rest: string };
  end(): { readonly events: readonly OutputEvent[]; readonly rest: string };
}

export function createReasoningStage(format: ReasoningFormat, startsInside: boolean): ReasoningStage {
  if (format.readAnswer === undefined) return createTagStage({ ...format, startsInside });
  const source: TextSource = { text: '', at: 0, ended: false };
  const reasoning = createReasoningWriter();
  let rest = '';
  const sink = {
    reasoning: (text: string) => reasoning.write(text),
    rest: (text: string) => void (rest += text),
  };
  const reading = format.readAnswer(source, sink, startsInside);
  const read = () => {
    rest = '';
    reading.next();
    return { events: reasoning.take(), rest };
  };
  return {
    push(text) {
      source.text = text;
      source.at = 0;
      return read();
    },
    end() {
      source.ended = true;
      return read();
    },
  };
}

/** A block opens only before any other text: an answer or the arguments of a call may mention the tags. */
function createTagStage(tags: ReasoningTags): ReasoningStage {
  const ends = [tags.close, ...(tags.interruptedBy ?? [])];
  const fronts = tags.closesUnopened === true ? [tags.open, tags.close] : [tags.open];
  const search = createTextSearch(ends);
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
    if (fronts.some((front) => opening.length < front.length && front.startsWith(opening))) return '';
    const isOpened = opening.startsWith(tags.open);
    if (!isOpened && !tags.startsInside && fronts.some((front) => opening.startsWith(front))) {
      state = 'behind';
      return opening.slice(tags.close.length);
    }
    state = isOpened || tags.startsInside ? 'inside' : 'rest';
    return isOpened ? opening.slice(tags.open.length) : space + opening;
  };

  const readInside = (text: string): string => {
    const end = search.feed(text, 0);
    const known = held + (end < 0 ? text : text.slice(0, end));
    held = end < 0 ? search.held() : '';
    const mark = end < 0 ? held : (ends[search.found()] ?? '');
    reasoning.write(known.slice(0, known.length - mark.length));
    if (end < 0) return '';
    state = 'behind';
    return (mark === tags.close ? '' : mark) + text.slice(end);
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
