import type { LineRange } from './line-range';
import type { LogLine, LogSource } from './log-source';

/** No more is copied at once. */
const maxLines = 10_000;

/** All lines of a range, in as many parts as they need. */
export async function readLines(source: LogSource, { first, last }: LineRange): Promise<readonly LogLine[]> {
  const end = Math.min(last, first + maxLines - 1);
  const lines: LogLine[] = [];
  const { signal } = new AbortController();
  while (first + lines.length <= end) {
    const line = first + lines.length;
    const part = await source.read({ line }, Math.min(1000, end - line + 1), signal);
    if (part.lines.length === 0) break;
    lines.push(...part.lines);
  }
  return lines;
}
