import type { RunFiles } from '../../run-files';
import { countLineBreaks, openLogView, type FileSource, type LogBytes } from './reader';

export interface LogRange {
  readonly tail?: number | undefined;
  readonly head?: number | undefined;
  /** First line, counted from 1. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface LogPart {
  /** The content without the line break after the last line. */
  readonly content: string;
  readonly lineCount: number;
  readonly totalLines: number;
  /** Whether `totalLines` is estimated, as in a log with more than 1 MiB outside this part. */
  readonly isEstimate: boolean;
  /** Whether the log has more lines: before these for `tail`, after them otherwise. */
  readonly hasMore: boolean;
}

const defaultLimit = 1000;
const chunkBytes = 64 * 1024;
const lineBreak = 0x0a;
/** Lines may be endless, so the bytes of a part are limited too. */
export const maxPartBytes = 2 * 1024 * 1024;

const nothing: LogPart = { content: '', lineCount: 0, totalLines: 0, isEstimate: false, hasMore: false };

/**
 * Reads a part of a log: `tail` wins over `head`, and `head` over `offset` with `limit`. The file is read in
 * chunks and only the part is held in memory. A missing file is an empty log: nothing was written yet.
 */
export async function readLogLines(
  runFiles: Pick<RunFiles, 'view'>,
  source: FileSource,
  range: LogRange,
  signal?: AbortSignal,
): Promise<LogPart> {
  const view = await openLogView(runFiles, source);
  try {
    if (view.bytes.size === 0) return nothing;
    const reader: LogReader = { ...view.bytes, signal };
    if (range.tail !== undefined) return await readBackward(reader, range.tail);
    if (range.head !== undefined) return await readForward(reader, 1, range.head);
    return await readForward(reader, range.offset ?? 1, range.limit ?? defaultLimit);
  } finally {
    await view.close();
  }
}

interface LogReader extends LogBytes {
  readonly signal: AbortSignal | undefined;
}

/** Counts line breaks from the start of the file to find the part. */
async function readForward(reader: LogReader, firstLine: number, lines: number): Promise<LogPart> {
  const { size } = reader;
  let line = 1;
  let start = firstLine === 1 ? 0 : size;
  let end = size;
  let at = 0;
  let isCut = false;
  let endsWithBreak = false;
  for (; at < size && end === size && !isCut; at += chunkBytes) {
    const chunk = await readChunk(reader, at, Math.min(chunkBytes, size - at));
    if (chunk.length === 0) break;
    endsWithBreak = chunk.at(-1) === lineBreak;
    for (let found = chunk.indexOf(lineBreak); found !== -1; found = chunk.indexOf(lineBreak, found + 1)) {
      line += 1;
      if (line === firstLine) start = at + found + 1;
      if (line === firstLine + lines) {
        end = at + found + 1;
        break;
      }
    }
    isCut = Math.min(end, at + chunk.length) - start > maxPartBytes;
  }
  if (isCut) end = start + maxPartBytes;
  const part = await readPart(reader, start, end);
  const isWhole = end === size;
  const total = isWhole
    ? { totalLines: line - Number(endsWithBreak), isEstimate: false }
    : await countLines(reader, { from: end, to: size, lines: firstLine - 1 + part.lineCount });
  return { ...part, ...total, hasMore: !isWhole };
}

/** Reads chunks from the end until they hold enough line breaks. */
async function readBackward(reader: LogReader, lines: number): Promise<LogPart> {
  const { size } = reader;
  let start = 0;
  let breaks = 0;
  let isComplete = false;
  for (let end = size; end > 0 && !isComplete && size - end < maxPartBytes;) {
    const from = Math.max(0, end - chunkBytes);
    const chunk = await readChunk(reader, from, end - from);
    // No line starts after the break of the last line.
    const searchFrom = end === size ? chunk.length - 2 : chunk.length - 1;
    let found = searchFrom < 0 ? -1 : chunk.lastIndexOf(lineBreak, searchFrom);
    for (; found !== -1 && !isComplete; found = found === 0 ? -1 : chunk.lastIndexOf(lineBreak, found - 1)) {
      breaks += 1;
      isComplete = breaks === lines;
      if (isComplete) start = from + found + 1;
    }
    end = from;
    if (!isComplete && size - end >= maxPartBytes) start = size - maxPartBytes;
  }
  const part = await readPart(reader, start, size);
  const isWhole = start === 0;
  const total = isWhole
    ? { totalLines: part.lineCount, isEstimate: false }
    : await countLines(reader, { from: 0, to: start, lines: part.lineCount });
  return { ...part, ...total, hasMore: !isWhole };
}

function readChunk(reader: LogReader, from: number, length: number): Promise<Buffer> {
  reader.signal?.throwIfAborted();
  return reader.read(from, length);
}

async function readPart(reader: LogReader, from: number, to: number): Promise<Pick<LogPart, 'content' | 'lineCount'>> {
  if (to <= from) return { content: '', lineCount: 0 };
  const bytes = await readChunk(reader, from, to - from);
  const body = bytes.at(-1) === lineBreak ? bytes.subarray(0, -1) : bytes;
  let lineCount = 1;
  for (let at = body.indexOf(lineBreak); at !== -1; at = body.indexOf(lineBreak, at + 1)) lineCount += 1;
  return { content: body.toString('utf8'), lineCount };
}

interface UnreadPart {
  readonly from: number;
  readonly to: number;
  /** The number of lines in the rest of the log. */
  readonly lines: number;
}

async function countLines(
  reader: LogReader,
  { from, to, lines }: UnreadPart,
): Promise<Pick<LogPart, 'totalLines' | 'isEstimate'>> {
  const { size } = reader;
  const read = (at: number, length: number) => readChunk(reader, at, Math.min(length, size - at));
  const { count, isEstimate } = await countLineBreaks({ size, read }, from, to);
  // The last line of a log may not have a break yet.
  const isOpen = to === size && (await read(size - 1, 1)).at(-1) !== lineBreak;
  return { totalLines: lines + count + Number(isOpen), isEstimate };
}
