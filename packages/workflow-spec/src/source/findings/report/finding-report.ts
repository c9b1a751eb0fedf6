import { LineCounter } from 'yaml';
import type { Finding, Fix, TextRange } from '../finding';
import type { Offsets, SourceLocation, SuggestedFix } from '../source-location';
import { findingCatalogue, type FindingCode } from '../catalogue/finding-catalogue';
import { limits } from '../../../model/limits';
import { describePath } from '../describe-path';

export interface FindingReport {
  add(code: FindingCode, location: SourceLocation, message: string, fix?: SuggestedFix): void;
  /** Lists the findings in the order of the text. */
  list(): readonly Finding[];
}

interface CollectedFinding {
  readonly code: FindingCode;
  readonly path: string;
  readonly message: string;
  readonly range: Offsets;
  readonly fix: SuggestedFix | undefined;
}

/** Collects findings up to the limit; the one after it states that there are more. */
export function createFindingReport(text: string): FindingReport {
  const collected: CollectedFinding[] = [];
  let characters = 0;
  let isFull = false;
  const reported = new Set<string>();
  return {
    add: (code, location, message, fix) => {
      if (isFull) return;
      // A value repeated by aliases is read once for each alias, but its error is one finding.
      const identity = `${code} ${location.range.join('-')} ${message.replaceAll(describePath(location.path), '')}`;
      if (reported.has(identity)) return;
      reported.add(identity);
      characters += message.length + location.path.length;
      isFull = collected.length === limits.findings || characters > limits.findingCharacters;
      if (!isFull) collected.push({ code, path: location.path, message, range: clampRange(location.range, text), fix });
      else {
        // The message has no path, because the path may be what exceeded the limit.
        const message = `there are more than ${collected.length} findings; the rest are not shown`;
        const range = clampRange(location.range, text);
        collected.push({ code: 'too_many_findings', path: '', message, range, fix: undefined });
      }
    },
    list: () => toFindings(text, collected),
  };
}

function toFindings(text: string, collected: readonly CollectedFinding[]): readonly Finding[] {
  const lines = countLines(text);
  const sorted = [...collected].sort((left, right) => left.range[0] - right.range[0]);
  const bytes = byteOffsets(
    text,
    sorted.flatMap(({ range }) => range),
  );
  return sorted.map(({ code, path, message, range, fix }) => ({
    code,
    severity: findingCatalogue[code].severity,
    path,
    message,
    ...toTextRange(lines, range),
    startByte: bytes.get(range[0]) ?? 0,
    endByte: bytes.get(range[1]) ?? 0,
    ...(fix === undefined ? {} : { fix: toFix(lines, clampRange(fix.range ?? range, text), fix) }),
  }));
}

function toFix(lines: LineCounter, range: Offsets, { title, text }: SuggestedFix): Fix {
  return { title, text, ...toTextRange(lines, range) };
}

function toTextRange(lines: LineCounter, range: Offsets): TextRange {
  const start = lines.linePos(range[0]);
  const end = lines.linePos(range[1]);
  return { line: start.line, column: start.col, endLine: end.line, endColumn: end.col };
}

/** Maps each offset to its UTF-8 byte offset, in one pass over the text. */
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

// Lines are not taken from the parser, which may stop before the end of a hostile text.
function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(byteOrderMarkLength(text));
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

/** Keeps the range inside the text, and off the middle of a surrogate pair. */
function clampRange([start, end]: Offsets, text: string): Offsets {
  const from = Math.min(Math.max(start, byteOrderMarkLength(text)), text.length);
  const to = Math.max(from, Math.min(end, text.length));
  return [isInsidePair(text, from) ? from - 1 : from, isInsidePair(text, to) ? to + 1 : to];
}

// Editors hide the byte order mark and count columns after it.
function byteOrderMarkLength(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0;
}

function isInsidePair(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}
