import path from 'node:path';
import { type LogMoment, parseLogMoments } from '@weir/workflow-engine';
import { findRunFolder, type RunFiles, type StoredFile } from '../../../run-files';
import { firstAbove, interleaveBytes, type StreamName } from './interleaved-bytes';
import { noBytes, type LogBytes } from './log-bytes';

/** A log that is one file. */
export type FileSource =
  | { readonly kind: 'run'; readonly file: string }
  | {
      readonly kind: 'stream';
      readonly stream: StreamName;
      readonly file: string;
      readonly timesFile: string;
      readonly attempt?: number | undefined;
    };

/** The files that are read as one log. */
export type LogSource =
  | FileSource
  | {
      readonly kind: 'both';
      readonly stdoutFile: string;
      readonly stderrFile: string;
      readonly timesFile: string;
      /** Whether the log is complete, so that output without a moment belongs to the end. */
      readonly isEnded: boolean;
      /** The attempt that is read alone, counted from 1. */
      readonly attempt?: number | undefined;
    };

/** A line without its line break, as it is stored. */
export interface StoredLine {
  readonly byte: number;
  /** The position after the line break. */
  readonly endByte: number;
  readonly text: string;
}

export interface LineOrigin {
  /** Only in a log with both streams. */
  readonly stream?: StreamName;
  /** The time when the line was first seen; missing where it was not observed. */
  readonly time?: Date;
  /** Only in a log with several attempts. */
  readonly attempt?: number;
}

/** An open log. */
export interface LogView {
  /** The key is the same for the same bytes. */
  readonly key: string;
  readonly bytes: LogBytes;
  /** The number of attempts whose step wrote it, as far as they were recorded. */
  readonly attempts: number;
  originOf(line: StoredLine): LineOrigin;
  close(): Promise<void>;
}

/** The part of a file that counts, where it is less than the whole file. */
export type FileLimits = ReadonlyMap<string, number>;

/** Opens a log, which the caller must close. A log that was not written yet is empty. */
export async function openLogView(
  runFiles: Pick<RunFiles, 'view'>,
  source: LogSource,
  limits: FileLimits = new Map(),
): Promise<LogView> {
  const folder = findRunFolder(listFiles(source).find((file) => file !== '') ?? '');
  // One view serves all files, so that they are consistent.
  const view = await runFiles.view(folder);
  const open: OpenFile = async (file) => {
    const log = file === '' ? undefined : await view.open(path.relative(folder, file));
    return log && limitSize(log, limits.get(file));
  };
  switch (source.kind) {
    case 'run':
      return openRunView(source.file, open);
    case 'stream':
      return openStreamView(source, open);
    case 'both':
      return openInterleavedView(source, open);
  }
}

/** Lists the files of a log. */
export function listFiles(source: LogSource): readonly string[] {
  return source.kind === 'both' ? [source.stdoutFile, source.stderrFile, source.timesFile] : [source.file];
}

type OpenFile = (file: string) => Promise<StoredFile | undefined>;

function limitSize(file: StoredFile, limit = file.size): StoredFile {
  if (limit >= file.size) return file;
  return { ...file, size: limit, read: (from, length) => file.read(from, Math.max(0, Math.min(length, limit - from))) };
}

async function openRunView(file: string, open: OpenFile): Promise<LogView> {
  const log = await open(file);
  return { ...viewOf([log]), bytes: bytesOf(log), attempts: 1, originOf: ({ text }) => withTime(leadingTime(text)) };
}

async function openStreamView(
  { stream, file, timesFile, attempt }: Extract<LogSource, { kind: 'stream' }>,
  open: OpenFile,
): Promise<LogView> {
  const log = await open(file);
  const bytes = bytesOf(log);
  const moments = await readLogMoments(await open(timesFile), { stdout: bytes.size, stderr: bytes.size });
  const ends = moments.map(({ stdoutBytes, stderrBytes }) => (stream === 'stdout' ? stdoutBytes : stderrBytes));
  const originOf = (line: StoredLine): LineOrigin => withTime(timeOf(line, moments, ends));
  return withAttempts({ ...viewOf([log]), bytes, originOf }, findStarts(moments, ends), attempt);
}

async function openInterleavedView(source: Extract<LogSource, { kind: 'both' }>, open: OpenFile): Promise<LogView> {
  const { stdoutFile, stderrFile, timesFile, isEnded, attempt } = source;
  const logs = [await open(stdoutFile), await open(stderrFile)];
  const [stdout, stderr] = [bytesOf(logs[0]), bytesOf(logs[1])];
  const timed = await readLogMoments(await open(timesFile), { stdout: stdout.size, stderr: stderr.size });
  const rest = { timeMs: Number.NaN, stdoutBytes: stdout.size, stderrBytes: stderr.size };
  const moments = isEnded ? [...timed, rest] : timed;
  const bytes = interleaveBytes({ stdout, stderr, moments });
  const ends = moments.map(({ stdoutBytes, stderrBytes }) => stdoutBytes + stderrBytes);
  const view = viewOf(logs);
  const whole = {
    ...view,
    // Output without a moment is at the end of both streams, and moves when an ended step is retried.
    key: isEnded ? `${view.key}:${timed.length}:${stdout.size}:${stderr.size}` : view.key,
    bytes,
    originOf: (line: StoredLine) => ({ stream: bytes.streamAt(line.byte), ...withTime(timeOf(line, moments, ends)) }),
  };
  return withAttempts(whole, findStarts(moments, ends), attempt);
}

/** Finds where the attempts after the first begin. */
function findStarts(moments: readonly LogMoment[], ends: readonly number[]): readonly number[] {
  return ends.filter((_end, index) => moments[index]?.startsAttempt === true);
}

/** Adds the attempts of the lines, and limits the log to one of them. One that is not in the log is empty. */
function withAttempts(
  whole: Omit<LogView, 'attempts'>,
  starts: readonly number[],
  attempt: number | undefined,
): LogView {
  const { key, bytes, originOf } = whole;
  const attempts = starts.length + 1;
  if (attempt === undefined) {
    if (attempts === 1) return { ...whole, attempts };
    return {
      ...whole,
      attempts,
      originOf: (line) => ({ ...originOf(line), attempt: firstAbove(starts, line.byte) + 1 }),
    };
  }
  const from = [0, ...starts][attempt - 1] ?? bytes.size;
  const size = (starts[attempt - 1] ?? bytes.size) - from;
  return {
    ...whole,
    key: `${key}:${from}`,
    bytes: { size, read: (at, length) => bytes.read(from + at, Math.max(0, Math.min(length, size - at))) },
    attempts,
    originOf: ({ byte, endByte, text }) => ({
      ...originOf({ byte: from + byte, endByte: from + endByte, text }),
      attempt,
    }),
  };
}

function viewOf(logs: readonly (StoredFile | undefined)[]): Pick<LogView, 'key' | 'close'> {
  return {
    key: logs.map((log) => log?.identity ?? '').join(),
    close: async () => {
      for (const log of logs) await log?.close();
    },
  };
}

function bytesOf(log: StoredFile | undefined): LogBytes {
  return log ?? noBytes;
}

function timeOf({ endByte }: StoredLine, moments: readonly LogMoment[], ends: readonly number[]): number | undefined {
  return moments[firstAbove(ends, endByte - 1)]?.timeMs;
}

function withTime(timeMs: number | undefined): LineOrigin {
  return timeMs === undefined || Number.isNaN(timeMs) ? {} : { time: new Date(timeMs) };
}

/** The lines of the log of a run begin with their time. */
function leadingTime(text: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?= |$)/.exec(text)?.[0] ?? '');
}

/** A step that prints for a year writes less than this. */
const maxBytes = 16 * 1024 * 1024;

interface StreamSizes {
  readonly stdout: number;
  readonly stderr: number;
}

/**
 * Returns the moments of a step, limited to the present length of its logs. Closes the file; without one there are no
 * moments.
 */
async function readLogMoments(file: StoredFile | undefined, sizes: StreamSizes): Promise<readonly LogMoment[]> {
  if (file === undefined) return [];
  try {
    return rising(parseLogMoments(await file.read(0, maxBytes)), sizes);
  } finally {
    await file.close();
  }
}

/** Drops moments beyond the end of cut logs, and those of overlapping records of one step. */
function rising(moments: readonly LogMoment[], { stdout, stderr }: StreamSizes): readonly LogMoment[] {
  let stdoutBytes = 0;
  let stderrBytes = 0;
  return moments.map((moment) => {
    stdoutBytes = Math.max(stdoutBytes, Math.min(moment.stdoutBytes, stdout));
    stderrBytes = Math.max(stderrBytes, Math.min(moment.stderrBytes, stderr));
    return { ...moment, stdoutBytes, stderrBytes };
  });
}
