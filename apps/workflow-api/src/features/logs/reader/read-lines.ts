import { countLineBreaks } from './count-line-breaks';
import { findByte, findLine } from './find-line';
import type { LineIndex, LinePosition } from './line-index';
import type { LogBytes } from './log-bytes';
import type { LineOrigin, LogView } from './log-view';
import { readStoredLines, type NumberedLine } from './stored-lines';

/** The start of the range; the first given field counts. */
export interface LinesRange {
  /** The last lines of the log. */
  readonly tail?: number | undefined;
  /** Starts at the line that contains this byte. */
  readonly byte?: number | undefined;
  /** Starts at this line, counted from 1. */
  readonly line?: number | undefined;
  /** Default: 1,000. */
  readonly limit?: number | undefined;
}

export interface LogLine extends NumberedLine, LineOrigin {}

export interface LogLines {
  readonly lines: readonly LogLine[];
  /** The position after the last line. */
  readonly next: LinePosition;
  readonly totalLines: number;
  /** Whether `totalLines` is estimated, because the log was not read to its end. */
  readonly isEstimate: boolean;
  readonly totalBytes: number;
  readonly attempts: number;
}

const defaultLimit = 1000;
/** A log up to this size is read to its end, so that the number of its lines is known. */
const alwaysCountedBytes = 8 * 1024 * 1024;

/** Reads a part of a log by the number of a line, by a byte or from the end. */
export async function readLines(
  view: LogView,
  index: LineIndex,
  range: LinesRange,
  signal?: AbortSignal,
): Promise<LogLines> {
  const from = await findStart(view, index, range, signal);
  const { tail, byte, line = 1, limit } = range;
  // No line is returned after the last one, even while that one may still grow.
  const includesIncomplete = tail !== undefined || byte !== undefined || from.line >= line;
  return readLinesFrom(view, index, { from, limit: tail ?? limit, includesIncomplete }, signal);
}

export interface LinesPart {
  readonly from: LinePosition;
  /** Default: 1,000. */
  readonly limit?: number | undefined;
  /** Whether a last line without line break counts. */
  readonly includesIncomplete: boolean;
}

/** Reads a part of a log from the start of a line. */
export async function readLinesFrom(
  view: LogView,
  index: LineIndex,
  { from, limit = defaultLimit, includesIncomplete }: LinesPart,
  signal?: AbortSignal,
): Promise<LogLines> {
  const { bytes } = view;
  await index.extend(bytes, { byte: alwaysCountedBytes }, signal);
  const { lines, next } = await readStoredLines(bytes, from, { limit, includesIncomplete }, signal);
  return {
    lines: lines.map((line) => ({ ...line, ...view.originOf(line) })),
    next,
    ...(await countLines(bytes, index, next)),
    totalBytes: bytes.size,
    attempts: view.attempts,
  };
}

/** Finds the position where a range begins. */
export async function findStart(
  { bytes }: LogView,
  index: LineIndex,
  { tail, byte, line = 1 }: LinesRange,
  signal?: AbortSignal,
): Promise<LinePosition> {
  await index.extend(bytes, { byte: alwaysCountedBytes }, signal);
  if (tail === undefined) {
    return byte === undefined ? findLine(bytes, index, line, signal) : findByte(bytes, index, byte, signal);
  }
  await index.extend(bytes, { byte: bytes.size }, signal);
  return findLine(bytes, index, Math.max(1, index.lineCount - tail + 1), signal);
}

async function countLines(
  bytes: LogBytes,
  { scannedBytes, lineCount }: LineIndex,
  next: LinePosition,
): Promise<Pick<LogLines, 'totalLines' | 'isEstimate'>> {
  if (scannedBytes >= bytes.size) return { totalLines: lineCount, isEstimate: false };
  const { count } = await countLineBreaks(bytes, scannedBytes, bytes.size);
  return { totalLines: Math.max(next.line, lineCount + count), isEstimate: true };
}
