import { LineCounter } from 'yaml';
import type { Finding, Fix, TextRange } from './finding';
import { findingCatalogue, type FindingCode } from './finding-catalogue';
import { limits } from './limits';
import { describePath } from './yaml/node-place';

/** Start and exclusive end, counted in UTF-16 units of the text. */
export type Offsets = readonly [start: number, end: number];

/** What a finding is about: a part of the text and the JSON pointer to the value there. */
export interface Spot {
  readonly range: Offsets;
  readonly path: string;
}

/** A change that mends a finding. */
export interface FixText {
  readonly title: string;
  readonly text: string;
  /** What is replaced; the finding's own range when missing. */
  readonly range?: Offsets;
}

export interface FindingReport {
  add(code: FindingCode, spot: Spot, message: string, fix?: FixText): void;
  /** In the order of the text. */
  list(): readonly Finding[];
}

interface Found {
  readonly code: FindingCode;
  readonly path: string;
  readonly message: string;
  readonly range: Offsets;
  readonly fix: FixText | undefined;
}

/** Collects findings up to the limit; the one after it says that there are more. */
export function createFindingReport(text: string): FindingReport {
  const found: Found[] = [];
  let characters = 0;
  let isFull = false;
  const said = new Set<string>();
  return {
    add: (code, spot, message, fix) => {
      if (isFull) return;
      // A value that aliases repeat is read for each of them, and what is wrong with it is one mistake.
      const saying = `${code} ${spot.range.join('-')} ${message.replaceAll(describePath(spot.path), '')}`;
      if (said.has(saying)) return;
      said.add(saying);
      characters += message.length + spot.path.length;
      isFull = found.length === limits.findings || characters > limits.findingCharacters;
      if (!isFull) found.push({ code, path: spot.path, message, range: within(spot.range, text), fix });
      else {
        // Without its path, which may be what made it too much.
        const message = `there is more to say than ${found.length} findings; the rest is not shown`;
        const range = within(spot.range, text);
        found.push({ code: 'too_many_findings', path: '', message, range, fix: undefined });
      }
    },
    list: () => toFindings(text, found),
  };
}

function toFindings(text: string, found: readonly Found[]): readonly Finding[] {
  const lines = countLines(text);
  const places = [...found].sort((left, right) => left.range[0] - right.range[0]);
  const bytes = byteOffsets(
    text,
    places.flatMap(({ range }) => range),
  );
  return places.map(({ code, path, message, range, fix }) => ({
    code,
    severity: findingCatalogue[code].severity,
    path,
    message,
    ...rangeOf(lines, range),
    startByte: bytes.get(range[0]) ?? 0,
    endByte: bytes.get(range[1]) ?? 0,
    ...(fix === undefined ? {} : { fix: toFix(lines, within(fix.range ?? range, text), fix) }),
  }));
}

function toFix(lines: LineCounter, range: Offsets, { title, text }: FixText): Fix {
  return { title, text, ...rangeOf(lines, range) };
}

function rangeOf(lines: LineCounter, range: Offsets): TextRange {
  const start = lines.linePos(range[0]);
  const end = lines.linePos(range[1]);
  return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col };
}

/** From each offset to its place in UTF-8; one walk over the text for all of them. */
function byteOffsets(text: string, offsets: readonly number[]): ReadonlyMap<number, number> {
  const encoder = new TextEncoder();
  const bytes = new Map<number, number>();
  let at = 0;
  let total = 0;
  for (const offset of [...new Set(offsets)].sort((left, right) => left - right)) {
    total += encoder.encode(text.slice(at, offset)).length;
    at = offset;
    bytes.set(offset, total);
  }
  return bytes;
}

// Filled here and not by the parser, which may stop before the end of a hostile text.
function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(markLength(text));
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

/** Inside the text, and never between the two halves of one character. */
function within([start, end]: Offsets, text: string): Offsets {
  const from = Math.min(Math.max(start, markLength(text)), text.length);
  const to = Math.max(from, Math.min(end, text.length));
  return [isInsidePair(text, from) ? from - 1 : from, isInsidePair(text, to) ? to + 1 : to];
}

// Editors do not show a byte order mark, and count columns after it.
function markLength(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0;
}

function isInsidePair(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}
