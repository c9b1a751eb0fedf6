import type { LogBytes } from '../reader/log-bytes';
import type { LinePosition } from '../reader/line-index';
import type { LogView } from '../reader/log-view';
import type { LogLine } from '../reader/read-lines';
import { maxLinesBytes, readStoredLines } from '../reader/stored-lines';
import type { LineMatcher, MatchSpan } from './line-matcher';
import { searchBytes } from './search-bytes';

export interface SearchOptions {
  /** The number of lines before and after each matching line. */
  readonly context: number;
  /** Limits the matching lines that are returned. */
  readonly limit: number;
  readonly from: LinePosition;
  readonly isOver: () => boolean;
}

export interface FoundLine extends LogLine {
  /** Empty for context, and for a match beyond the returned part of the line. */
  readonly spans: readonly MatchSpan[];
  readonly isMatch: boolean;
}

export interface LogFindings {
  /** Consecutive lines with their context. */
  readonly groups: readonly (readonly FoundLine[])[];
  /** The number of matching lines in the searched part. */
  readonly matchingLines: number;
  /** Whether the log was searched to its end. */
  readonly isComplete: boolean;
  /** The position to continue from; missing when everything was returned. */
  readonly next?: LinePosition;
  readonly searchedBytes: number;
  readonly totalBytes: number;
}

const chunkBytes = 64 * 1024;
const lineBreak = 0x0a;

/** Searches a log from a position on, and returns the lines within the limits. */
export async function searchLog(view: LogView, matcher: LineMatcher, options: SearchOptions): Promise<LogFindings> {
  const { bytes } = view;
  const { from, context } = options;
  const { positions, matchingLines, end } = await searchBytes(bytes, matcher, options);
  const groups: FoundLine[][] = [];
  let returned = 0;
  let total = 0;
  for (const matches of groupPositions(positions, context)) {
    if (total >= maxLinesBytes) break;
    const group = await readGroup(view, matches, { context, matcher });
    groups.push(group);
    returned += group.filter(({ isMatch }) => isMatch).length;
    total += group.reduce((sum, { byte, endByte }) => sum + endByte - byte, 0);
  }
  const isComplete = end.byte >= bytes.size;
  const next = returned < matchingLines ? afterReturned(positions, returned, groups) : end;
  return {
    groups,
    matchingLines,
    isComplete,
    ...(returned === matchingLines && isComplete ? {} : { next }),
    searchedBytes: end.byte - from.byte,
    totalBytes: bytes.size,
  };
}

/** Returns the first match that was not returned, or the position after the last returned one. */
function afterReturned(
  positions: readonly LinePosition[],
  returned: number,
  groups: readonly (readonly FoundLine[])[],
): LinePosition {
  const following = positions[returned];
  if (following !== undefined) return following;
  const last = groups.at(-1)?.findLast(({ isMatch }) => isMatch);
  if (last === undefined) throw new Error('A search that is not over returned nothing.');
  return { line: last.number + 1, byte: last.endByte };
}

/** Groups matches whose contexts touch or overlap. */
function groupPositions(positions: readonly LinePosition[], context: number): readonly (readonly LinePosition[])[] {
  const groups: LinePosition[][] = [];
  for (const position of positions) {
    const group = groups.at(-1);
    const previous = group?.at(-1);
    if (previous !== undefined && position.line - previous.line <= 2 * context + 1) group?.push(position);
    else groups.push([position]);
  }
  return groups;
}

interface GroupOptions {
  readonly context: number;
  readonly matcher: LineMatcher;
}

async function readGroup(
  view: LogView,
  matches: readonly LinePosition[],
  { context, matcher }: GroupOptions,
): Promise<FoundLine[]> {
  const [first] = matches;
  const last = matches.at(-1);
  if (first === undefined || last === undefined) return [];
  const from = await linesBefore(view.bytes, first, context);
  const bounds = { limit: last.line + context - from.line + 1, includesIncomplete: true };
  const { lines } = await readStoredLines(view.bytes, from, bounds);
  const matching = new Set(matches.map(({ line }) => line));
  return lines.map((line) => {
    const isMatch = matching.has(line.number);
    return { ...line, ...view.originOf(line), isMatch, spans: isMatch ? matcher.spansOf(line.text) : [] };
  });
}

/** Returns the start of the line that is `count` lines earlier, or of the log. */
async function linesBefore(log: LogBytes, position: LinePosition, count: number): Promise<LinePosition> {
  let { line, byte } = position;
  // The break before a line ends the previous line.
  for (let end = byte - 1; end > 0 && position.line - line < count;) {
    const from = Math.max(0, end - chunkBytes);
    const chunk = await log.read(from, end - from);
    let found = chunk.lastIndexOf(lineBreak);
    for (
      ;
      found >= 0 && position.line - line < count;
      found = found === 0 ? -1 : chunk.lastIndexOf(lineBreak, found - 1)
    ) {
      line -= 1;
      byte = from + found + 1;
    }
    end = from;
  }
  if (position.line - line < count && line > 1) return { line: 1, byte: 0 };
  return { line, byte };
}
