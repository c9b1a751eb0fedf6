import type { TextRange } from '../../source/findings/finding';
import type { Offsets } from '../../source/findings/source-location';

/** A replacement of a range of a text. */
export interface TextEdit {
  readonly range: Offsets;
  readonly text: string;
}

/** Applies edits in any order. When edits overlap, the first in the text is applied. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const { range, text: replacement } of edits.toSorted((left, right) => left.range[0] - right.range[0])) {
    if (range[0] < at) continue;
    result += text.slice(at, range[0]) + replacement;
    at = range[1];
  }
  return result + text.slice(at);
}

/** Returns the offsets of a range that is given in lines and columns, as in findings. */
export function toOffsets(text: string, { line, column, endLine, endColumn }: TextRange): Offsets {
  const starts = lineStarts(text);
  const offset = (of: number, at: number): number => (starts[of - 1] ?? text.length) + at - 1;
  return [offset(line, column), offset(endLine, endColumn)];
}

function lineStarts(text: string): readonly number[] {
  // Findings count in this way: the byte order mark is before the first column.
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
