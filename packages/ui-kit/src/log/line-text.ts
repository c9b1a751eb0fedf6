import { readSegments, type Segment } from './ansi-segments';
import type { Span } from './log-source';
import { beginningOf, toVisible } from './visible-text';

/** A piece of a line with one style. */
export interface Piece extends Segment {
  readonly isFound: boolean;
  readonly address?: string;
}

const link = /\bhttps?:\/\/[^\s<>"'`]+/gi;
/** Returns the pieces of a line as they are shown: cleaned, coloured, with links and matches. */
export function readPieces(text: string, spans: readonly Span[], limit: number): readonly Piece[] {
  const beginning = beginningOf(text);
  const raw = text.slice(beginning);
  const found = spans
    .filter(({ end }) => end > beginning)
    .map(({ start, end }) => ({ start: shownLength(raw, start - beginning), end: shownLength(raw, end - beginning) }));
  const pieces: Piece[] = [];
  let at = 0;
  for (const segment of readSegments(toVisible(raw))) {
    if (at >= limit) break;
    const shown = { ...segment, text: segment.text.slice(0, limit - at) };
    pieces.push(...splitAtLinks(shown).flatMap((part) => splitAtFindings(part, at + part.offset, found)));
    at += shown.text.length;
  }
  return pieces;
}

/** Returns how many characters a line shows. */
export function shownLengthOf(text: string): number {
  return shownLength(text.slice(beginningOf(text)), Infinity);
}

function shownLength(raw: string, end: number): number {
  return readSegments(toVisible(raw.slice(0, Math.max(0, end)))).reduce((sum, { text }) => sum + text.length, 0);
}

interface Part extends Segment {
  readonly offset: number;
  readonly address?: string;
}

function splitAtLinks(segment: Segment): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of segment.text.matchAll(link)) {
    const text = withoutEnd(match[0]);
    if (!URL.canParse(text)) continue;
    if (match.index > at) parts.push({ ...segment, text: segment.text.slice(at, match.index), offset: at });
    parts.push({ ...segment, text, offset: match.index, address: text });
    at = match.index + text.length;
  }
  if (at < segment.text.length) parts.push({ ...segment, text: segment.text.slice(at), offset: at });
  return parts;
}

function splitAtFindings({ offset: _, ...part }: Part, begin: number, found: readonly Span[]): readonly Piece[] {
  const cuts = found
    .flatMap(({ start, end }) => [start - begin, end - begin])
    .filter((cut) => cut > 0 && cut < part.text.length);
  const edges = [...new Set([0, ...cuts, part.text.length])].sort((one, other) => one - other);
  return edges.slice(1).map((end, index) => {
    const start = edges[index] ?? 0;
    const isFound = found.some((span) => span.start - begin <= start && span.end - begin >= end);
    return { ...part, text: part.text.slice(start, end), isFound };
  });
}

/** Removes characters that belong to the sentence around the address. */
function withoutEnd(address: string): string {
  const text = address.replace(/[.,:;!?]+$/, '');
  return text.endsWith(')') && !text.includes('(') ? text.slice(0, -1) : text;
}
