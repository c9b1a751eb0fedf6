import type { LogBytes } from './log-bytes';
import type { LinePosition } from './line-index';
import type { StoredLine } from './log-view';

export interface NumberedLine extends StoredLine {
  /** Lines are counted from 1. */
  readonly number: number;
  /** Whether the text is only the beginning of the line. */
  readonly isCut: boolean;
}

export interface StoredLines {
  readonly lines: readonly NumberedLine[];
  /** The position after the last line. */
  readonly next: LinePosition;
}

export interface LineBounds {
  readonly limit: number;
  /** Whether a last line without line break counts. */
  readonly includesIncomplete: boolean;
}

const chunkBytes = 64 * 1024;
const lineBreak = 0x0a;
/** Limits the returned part of each line, because lines may be endless. */
export const maxLineBytes = 16 * 1024;
/** Limits all lines together. */
export const maxLinesBytes = 2 * 1024 * 1024;

/** Reads the lines from a position on, as many as the limits allow. */
export async function readStoredLines(
  log: LogBytes,
  from: LinePosition,
  { limit, includesIncomplete }: LineBounds,
  signal?: AbortSignal,
): Promise<StoredLines> {
  const lines: NumberedLine[] = [];
  let total = 0;
  let next = from;
  let line = new LineCollector();
  const isFull = (): boolean => lines.length >= limit || total >= maxLinesBytes;
  const finish = (endByte: number): void => {
    lines.push({ number: next.line, byte: next.byte, endByte, ...line.take() });
    total += Math.min(maxLineBytes, endByte - next.byte);
    next = { line: next.line + 1, byte: endByte };
    line = new LineCollector();
  };
  for (let at = from.byte; at < log.size && !isFull();) {
    signal?.throwIfAborted();
    const chunk = await log.read(at, chunkBytes);
    if (chunk.length === 0) break;
    let start = 0;
    for (let found = chunk.indexOf(lineBreak); found >= 0 && !isFull(); found = chunk.indexOf(lineBreak, start)) {
      line.add(chunk.subarray(start, found));
      start = found + 1;
      finish(at + start);
    }
    if (!isFull()) line.add(chunk.subarray(start));
    at += chunk.length;
  }
  if (includesIncomplete && next.byte < log.size && !isFull()) finish(log.size);
  return { lines, next };
}

class LineCollector {
  readonly #parts: Buffer[] = [];
  #kept = 0;
  #isCut = false;

  add(part: Buffer): void {
    const kept = part.subarray(0, maxLineBytes - this.#kept);
    if (kept.length < part.length) this.#isCut = true;
    if (kept.length === 0) return;
    this.#parts.push(kept);
    this.#kept += kept.length;
  }

  take(): Pick<NumberedLine, 'text' | 'isCut'> {
    const text = Buffer.concat(this.#parts).toString('utf8');
    // The last character may be incomplete.
    return this.#isCut ? { text: text.replace(/\uFFFD$/, ''), isCut: true } : { text, isCut: false };
  }
}
