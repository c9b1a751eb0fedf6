import { LineCounter } from 'yaml';
import type { Finding } from './finding';
import { findingCatalogue, type FindingCode } from './finding-catalogue';
import { limits } from './limits';

/** Start and exclusive end, counted in UTF-16 units of the text. */
export type Offsets = readonly [start: number, end: number];

/** What a finding is about: a part of the text and the JSON pointer to the value there. */
export interface Spot {
  readonly range: Offsets;
  readonly path: string;
}

export interface FindingReport {
  add(code: FindingCode, spot: Spot, message: string): void;
  /** In the order of the text. */
  list(): readonly Finding[];
}

/** Collects findings up to the limit; the one after it says that there are more. */
export function createFindingReport(text: string): FindingReport {
  const found: Finding[] = [];
  const lines = countLines(text);
  let characters = 0;
  let isFull = false;

  const toFinding = (code: FindingCode, { range, path }: Spot, message: string): Finding => {
    const startOffset = clamp(range[0], text.length);
    const start = lines.linePos(startOffset);
    const end = lines.linePos(Math.max(startOffset, clamp(range[1], text.length)));
    return {
      code,
      severity: findingCatalogue[code].severity,
      path,
      message,
      line: start.line,
      column: start.col,
      endLine: end.line,
      endColumn: end.col,
    };
  };

  return {
    add: (code, spot, message) => {
      if (isFull) return;
      characters += message.length + spot.path.length;
      isFull = found.length === limits.findings || characters > limits.findingCharacters;
      if (!isFull) found.push(toFinding(code, spot, message));
      else {
        // Without its path, which may be what made it too much.
        const place = { range: spot.range, path: '' };
        const text = `there is more to say than ${found.length} findings; the rest is not shown`;
        found.push(toFinding('too_many_findings', place, text));
      }
    },
    list: () => [...found].sort((left, right) => left.line - right.line || left.column - right.column),
  };
}

// Filled here and not by the parser, which may stop before the end of a hostile text.
function countLines(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(offset, 0), length);
}
