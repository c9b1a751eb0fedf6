import type { LogBytes } from './log-bytes';

const lineBreak = 0x0a;
const countedBytes = 1024 * 1024;
const samples = 16;
const sampleBytes = 16 * 1024;

export interface LineBreaks {
  readonly count: number;
  readonly isEstimate: boolean;
}

/**
 * Counts the line breaks of a part of a log. In a part of more than 1 MiB they are estimated by samples from all over
 * it, since the lines at its ends often differ from the others.
 */
export async function countLineBreaks(bytes: LogBytes, from: number, to: number): Promise<LineBreaks> {
  const length = Math.max(0, to - from);
  if (length <= countedBytes) {
    return { count: length === 0 ? 0 : breaksIn(await bytes.read(from, length)), isEstimate: false };
  }
  const distance = (length - sampleBytes) / (samples - 1);
  const starts = Array.from({ length: samples }, (_, index) => from + Math.floor(index * distance));
  const read = await Promise.all(starts.map((start) => bytes.read(start, sampleBytes)));
  const sampled = read.reduce((sum, chunk) => sum + chunk.length, 0);
  const found = read.reduce((sum, chunk) => sum + breaksIn(chunk), 0);
  return { count: Math.round((length / Math.max(1, sampled)) * found), isEstimate: true };
}

function breaksIn(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, at + 1)) count += 1;
  return count;
}
