import type { LogMoment } from '@weir/workflow-engine';
import type { LogBytes } from './log-bytes';

export type StreamName = 'stdout' | 'stderr';

export interface InterleavedBytes extends LogBytes {
  streamAt(byte: number): StreamName;
}

export interface InterleavedStreams {
  readonly stdout: LogBytes;
  readonly stderr: LogBytes;
  /** The lengths of both streams at several moments, in the order of time. Only bytes that they cover are part of the result. */
  readonly moments: readonly LogMoment[];
}

interface Segment {
  readonly stream: StreamName;
  /** The position in the stream's own log. */
  readonly from: number;
  readonly length: number;
}

/** Combines two streams to one log: of the output between two moments, standard output comes before standard error. */
export function interleaveBytes({ stdout, stderr, moments }: InterleavedStreams): InterleavedBytes {
  const ends = moments.map(({ stdoutBytes, stderrBytes }) => stdoutBytes + stderrBytes);
  const size = ends.at(-1) ?? 0;

  const segmentAt = (byte: number): Segment => {
    const index = firstAbove(ends, byte);
    const { stdoutBytes: outFrom = 0, stderrBytes: errFrom = 0 } = moments[index - 1] ?? {};
    const { stdoutBytes: outTo = outFrom, stderrBytes: errTo = errFrom } = moments[index] ?? {};
    const offset = byte - outFrom - errFrom;
    const outLength = outTo - outFrom;
    if (offset < outLength) return { stream: 'stdout', from: outFrom + offset, length: outLength - offset };
    const passed = offset - outLength;
    return { stream: 'stderr', from: errFrom + passed, length: errTo - errFrom - passed };
  };

  return {
    size,
    streamAt: (byte) => segmentAt(byte).stream,
    read: async (from, wanted) => {
      const end = Math.min(size, from + wanted);
      const parts: Buffer[] = [];
      for (let at = from; at < end;) {
        const segment = segmentAt(at);
        const log = segment.stream === 'stdout' ? stdout : stderr;
        const part = await log.read(segment.from, Math.min(segment.length, end - at));
        if (part.length === 0) break;
        parts.push(part);
        at += part.length;
      }
      return Buffer.concat(parts);
    },
  };
}

/** Returns the index of the first greater number in a rising sequence, or the count of all numbers. */
export function firstAbove(numbers: readonly number[], value: number): number {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = Math.floor((low + high) / 2);
    if ((numbers[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
