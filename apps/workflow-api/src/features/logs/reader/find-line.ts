import type { LogBytes } from './log-bytes';
import type { LineIndex, LinePosition } from './line-index';

const chunkBytes = 64 * 1024;
const lineBreak = 0x0a;

/** Returns the start of a line, or the end of the log after its last line. */
export async function findLine(
  log: LogBytes,
  index: LineIndex,
  line: number,
  signal: AbortSignal | undefined,
): Promise<LinePosition> {
  await index.extend(log, { line }, signal);
  const from = index.beforeLine(line);
  return advance(log, from, { signal, isReached: (position) => position.line >= line });
}

/** Returns the start of the line that contains this byte. */
export async function findByte(
  log: LogBytes,
  index: LineIndex,
  byte: number,
  signal: AbortSignal | undefined,
): Promise<LinePosition> {
  await index.extend(log, { byte }, signal);
  let last = index.beforeByte(byte);
  await advance(log, last, {
    signal,
    isReached: (position) => {
      if (position.byte > byte) return true;
      last = position;
      return false;
    },
  });
  return last;
}

interface Search {
  readonly signal: AbortSignal | undefined;
  readonly isReached: (position: LinePosition) => boolean;
}

/** Advances from line to line until one is reached. */
async function advance(log: LogBytes, from: LinePosition, { signal, isReached }: Search): Promise<LinePosition> {
  let position = from;
  if (isReached(position)) return position;
  for (let at = from.byte; at < log.size;) {
    signal?.throwIfAborted();
    const chunk = await log.read(at, chunkBytes);
    if (chunk.length === 0) break;
    for (let found = chunk.indexOf(lineBreak); found >= 0; found = chunk.indexOf(lineBreak, found + 1)) {
      position = { line: position.line + 1, byte: at + found + 1 };
      if (isReached(position)) return position;
    }
    at += chunk.length;
  }
  return position;
}
