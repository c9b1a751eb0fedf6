import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { logsNotWritable } from './log-errors';
import { appendToLog } from './log-files';
import type { Clock } from '../../model/ports/clock';
import type { StepLogFiles } from '../../model/run-model/log-layout';

/** Records when the lines of a step were seen first, because its processes write into the files themselves. */
export interface LogTimes {
  /** Records the complete lines that were added, unless the last record is too recent. */
  observe(): void;
  /** Records the complete lines that were added before the other stream continues. */
  separate(): void;
  /** Records everything that was added, to be called when nothing more is written. */
  close(): void;
}

/**
 * Three numbers: time in milliseconds, bytes of the standard output and of standard error up to then. The time is
 * negative where an attempt begins.
 */
const numbersPerMoment = 3;
const momentBytes = numbersPerMoment * Float64Array.BYTES_PER_ELEMENT;
// Of a step that writes for ever, so many moments are recorded until its age has grown by a factor of e.
const momentsPerAge = 16_384;
const maxSeparations = 16_384;
const lineBreak = 0x0a;
/** An incomplete line that is longer belongs to the moment at which it was complete. */
const maxIncompleteBytes = 4096;
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Beside the logs of the step. */
export function logTimesFile(stdoutFile: string): string {
  return `${stdoutFile.replace(/\.(out|log)$/, '')}.times`;
}

/** What a step has written up to a moment; complete lines, except at its end. */
export interface LogMoment {
  readonly timeMs: number;
  readonly stdoutBytes: number;
  /** 0 where both streams are one file. */
  readonly stderrBytes: number;
  /** Whether what follows is from another attempt. */
  readonly startsAttempt?: true;
}

/** The moments in a file of {@link logTimesFile}, in the order of time. One that is incomplete is left out. */
export function parseLogMoments(bytes: Uint8Array): readonly LogMoment[] {
  const { buffer, byteOffset } = bytes;
  const count = Math.floor(bytes.length / momentBytes);
  const numbers = new Float64Array(buffer.slice(byteOffset, byteOffset + count * momentBytes));
  return Array.from({ length: count }, (_, index) => {
    const [timeMs = 0, stdoutBytes = 0, stderrBytes = 0] = numbers.subarray(index * numbersPerMoment);
    return { timeMs: Math.abs(timeMs), stdoutBytes, stderrBytes, ...(timeMs < 0 ? { startsAttempt: true } : {}) };
  });
}

/**
 * Records that an attempt begins where the logs of its step end, on a line of its own. The first attempt, which begins
 * where they do, needs no record. Throws {@link logsNotWritable}.
 */
export function beginAttempt(
  { stdoutFile, stderrFile }: StepLogFiles,
  attempt: number,
  clock: Pick<Clock, 'now'>,
): void {
  if (stdoutFile === '' || (attempt === 1 && !existsSync(stdoutFile))) return;
  try {
    const stdoutBytes = endLine(stdoutFile);
    const stderrBytes = stderrFile === stdoutFile ? 0 : endLine(stderrFile);
    appendMoment(logTimesFile(stdoutFile), [-clock.now().getTime(), stdoutBytes, stderrBytes]);
  } catch (error) {
    throw logsNotWritable(error);
  }
}

/** Returns the size of the log, whose last line is complete then. */
function endLine(file: string): number {
  const size = sizeOf(file);
  if (size === 0 || readBytes(file, size - 1, 1)[0] === lineBreak) return size;
  appendToLog(file, '\n');
  return size + 1;
}

function appendMoment(
  file: string,
  numbers: readonly [timeMs: number, stdoutBytes: number, stderrBytes: number],
): void {
  appendToLog(file, new Uint8Array(Float64Array.of(...numbers).buffer));
}

/** Continues the record of earlier attempts. Throws {@link logsNotWritable}; its methods throw errors of the file system. */
export function openLogTimes({ stdoutFile, stderrFile }: StepLogFiles, clock: Pick<Clock, 'now'>): LogTimes {
  const file = logTimesFile(stdoutFile);
  let openedMs: number | undefined;
  let last = readLastMoment(file);
  let separations = 0;

  const record = (findEnd: FindEnd): void => {
    const stdoutBytes = findEnd(stdoutFile, last.stdoutBytes);
    const stderrBytes = stderrFile === stdoutFile ? 0 : findEnd(stderrFile, last.stderrBytes);
    if (stdoutBytes === last.stdoutBytes && stderrBytes === last.stderrBytes) return;
    last = { timeMs: clock.now().getTime(), stdoutBytes, stderrBytes };
    appendMoment(file, [last.timeMs, stdoutBytes, stderrBytes]);
  };

  const observe = (): void => {
    const nowMs = clock.now().getTime();
    openedMs ??= nowMs;
    if (nowMs - last.timeMs >= (nowMs - openedMs) / momentsPerAge) record(endOfLines);
  };

  return {
    observe,
    separate: () => {
      separations += 1;
      if (stdoutFile === stderrFile || separations > maxSeparations) observe();
      else record(endOfLines);
    },
    close: () => record(sizeOf),
  };
}

/** How much of a file counts, of which `known` bytes were recorded. */
type FindEnd = (file: string, known: number) => number;

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function endOfLines(file: string, known: number): number {
  const size = sizeOf(file);
  if (size <= known) return known;
  const from = Math.max(known, size - maxIncompleteBytes);
  const found = readBytes(file, from, size - from).lastIndexOf(lineBreak);
  return found < 0 ? known : from + found + 1;
}

function readLastMoment(file: string): LogMoment {
  const none = { timeMs: 0, stdoutBytes: 0, stderrBytes: 0 };
  try {
    const count = Math.floor(sizeOf(file) / momentBytes);
    if (count === 0) return none;
    return parseLogMoments(readBytes(file, (count - 1) * momentBytes, momentBytes))[0] ?? none;
  } catch (error) {
    throw logsNotWritable(error);
  }
}

function readBytes(file: string, from: number, length: number): Buffer {
  const fd = openSync(file, readFlags);
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, from));
  } finally {
    closeSync(fd);
  }
}
