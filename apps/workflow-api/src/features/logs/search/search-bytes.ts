import type { LogBytes } from '../reader/log-bytes';
import type { LinePosition } from '../reader/line-index';
import type { LineMatcher } from './line-matcher';

export interface BytesFound {
  /** The first of the matching lines. */
  readonly positions: readonly LinePosition[];
  /** The number of matching lines in the searched part. */
  readonly matchingLines: number;
  /** The end of the searched part. */
  readonly end: LinePosition;
}

export interface SearchBounds {
  readonly from: LinePosition;
  /** Limits the positions that are returned; all matches are counted. */
  readonly limit: number;
  /** Called between two blocks. */
  readonly isOver: () => boolean;
}

const blockBytes = 1024 * 1024;
const lineBreak = 0x0a;

/** Finds lines from a position on. If a line is longer than a block, each block of it is searched separately. */
export async function searchBytes(log: LogBytes, matcher: LineMatcher, bounds: SearchBounds): Promise<BytesFound> {
  const positions: LinePosition[] = [];
  let matchingLines = 0;
  let lastMatch = -1;
  let { line, byte: at } = bounds.from;
  while (at < log.size && !bounds.isOver()) {
    const block = completeLines(await log.read(at, blockBytes));
    if (block.length === 0) break;
    let counted = 0;
    let matchLine = line;
    matcher.scan(block, (start) => {
      matchLine += countBreaks(block, counted, start);
      counted = start;
      // A part of the line has already matched.
      if (matchLine === lastMatch) return;
      lastMatch = matchLine;
      matchingLines += 1;
      if (positions.length < bounds.limit) positions.push({ line: matchLine, byte: at + start });
    });
    line = matchLine + countBreaks(block, counted, block.length);
    at += block.length;
  }
  return { positions, matchingLines, end: { line, byte: at } };
}

/** Removes an incomplete last line, unless it is the whole block. */
function completeLines(block: Buffer): Buffer {
  const last = block.lastIndexOf(lineBreak);
  return last < 0 || block.length < blockBytes ? block : block.subarray(0, last + 1);
}

function countBreaks(block: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (block[at] === lineBreak) count += 1;
  return count;
}
