import type { LogMoment } from '@weir/workflow-engine';
import { firstAbove, interleaveBytes, type StreamName } from './interleaved-bytes';
import { fileBytes, noBytes, type LogBytes } from './log-bytes';
import { openLog, type LogFile } from './log-file';
import { readLogMoments } from './log-moments';

/** What is read as one log. */
export type LogSource =
  | { readonly kind: 'run'; readonly file: string }
  | { readonly kind: 'stream'; readonly stream: StreamName; readonly file: string; readonly timesFile: string }
  | {
      readonly kind: 'both';
      readonly stdoutFile: string;
      readonly stderrFile: string;
      readonly timesFile: string;
      /** Whether nothing more is written, so that what was never timed belongs to the end. */
      readonly isEnded: boolean;
    };

/** A line without its line break, as it is stored. */
export interface StoredLine {
  readonly byte: number;
  /** After its line break. */
  readonly endByte: number;
  readonly text: string;
}

export interface LineOrigin {
  /** Where a log has both streams. */
  readonly stream?: StreamName;
  /** When it was seen first; missing where nobody looked. */
  readonly time?: Date;
}

/** An open log. */
export interface LogView {
  /** The same for the same bytes. */
  readonly key: string;
  readonly bytes: LogBytes;
  originOf(line: StoredLine): LineOrigin;
  close(): Promise<void>;
}

/** How much of a file counts, where that is less than there is. */
export type FileLimits = ReadonlyMap<string, number>;

/** A log that was not written yet is empty. The caller closes it. */
export async function openLogView(source: LogSource, limits: FileLimits = new Map()): Promise<LogView> {
  const open: OpenFile = async (file) => {
    const log = await openLog(file);
    return log && { ...log, size: Math.min(log.size, limits.get(file) ?? log.size) };
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

type OpenFile = (file: string) => Promise<LogFile | undefined>;

async function openRunView(file: string, open: OpenFile): Promise<LogView> {
  const log = await open(file);
  return { ...viewOf([log]), bytes: bytesOf(log), originOf: ({ text }) => withTime(leadingTime(text)) };
}

async function openStreamView(
  { stream, file, timesFile }: Extract<LogSource, { kind: 'stream' }>,
  open: OpenFile,
): Promise<LogView> {
  const log = await open(file);
  const bytes = bytesOf(log);
  const moments = await readLogMoments(timesFile, { stdout: bytes.size, stderr: bytes.size });
  const ends = moments.map(({ stdoutBytes, stderrBytes }) => (stream === 'stdout' ? stdoutBytes : stderrBytes));
  return { ...viewOf([log]), bytes, originOf: (line) => withTime(timeOf(line, moments, ends)) };
}

async function openInterleavedView(source: Extract<LogSource, { kind: 'both' }>, open: OpenFile): Promise<LogView> {
  const { stdoutFile, stderrFile, timesFile, isEnded } = source;
  const logs = [await open(stdoutFile), await open(stderrFile)];
  const [stdout, stderr] = [bytesOf(logs[0]), bytesOf(logs[1])];
  const timed = await readLogMoments(timesFile, { stdout: stdout.size, stderr: stderr.size });
  const rest = { timeMs: Number.NaN, stdoutBytes: stdout.size, stderrBytes: stderr.size };
  const moments = isEnded ? [...timed, rest] : timed;
  const bytes = interleaveBytes({ stdout, stderr, moments });
  const ends = moments.map(({ stdoutBytes, stderrBytes }) => stdoutBytes + stderrBytes);
  const view = viewOf(logs);
  return {
    ...view,
    // What was never timed is at the end of both, and moves when an ended step is retried.
    key: isEnded ? `${view.key}:${timed.length}:${stdout.size}:${stderr.size}` : view.key,
    bytes,
    originOf: (line) => ({ stream: bytes.streamAt(line.byte), ...withTime(timeOf(line, moments, ends)) }),
  };
}

function viewOf(logs: readonly (LogFile | undefined)[]): Pick<LogView, 'key' | 'close'> {
  return {
    key: logs.map((log) => log?.identity ?? '').join(),
    close: async () => {
      for (const log of logs) await log?.handle.close();
    },
  };
}

function bytesOf(log: LogFile | undefined): LogBytes {
  return log === undefined ? noBytes : fileBytes(log);
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
