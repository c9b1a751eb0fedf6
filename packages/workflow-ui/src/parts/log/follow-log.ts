import type { LogFollower } from '@weir/ui-kit';
import { statusOf } from '@weir/ui-kit/app';
import type { Schemas } from '../../api/client';
import { liveStream } from '../../api/live-stream';
import { logTopic, type LogAddress } from './log-address';
import { readLogLines } from './log-operations';

type Part = Schemas['LogLinesResponse'];

const partLines = 1000;
const shortestDelayMs = 1000;
const longestDelayMs = 30_000;

/**
 * Follows a log from a line on until the returned function is called. The stream that all tabs share reports its end,
 * and requests read the lines, because a browser opens only six connections to a server. A hidden tab reads when it
 * is visible again.
 */
export function followLog(log: LogAddress, line: number, follower: LogFollower): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const reader = createReader(log, { line, follower, signal });
  let isReading = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let delayMs = shortestDelayMs;

  const stop = (): void => {
    clearTimeout(retry);
    unsubscribe();
    stopping.abort();
    document.removeEventListener('visibilitychange', catchUp);
  };
  const attempt = async (): Promise<void> => {
    try {
      await reader.catchUp();
      delayMs = shortestDelayMs;
    } catch (error) {
      if (statusOf(error) === 404) stop();
      else if (!signal.aborted) retry = setTimeout(catchUp, delayMs);
      delayMs = Math.min(longestDelayMs, delayMs * 2);
    }
  };
  const catchUp = (): void => {
    clearTimeout(retry);
    if (isReading || document.hidden || signal.aborted) return;
    isReading = true;
    void attempt().finally(() => (isReading = false));
  };
  const unsubscribe = liveStream.subscribe(logTopic(log), (payload) => {
    // The contract of the topic defines this type.
    reader.tell(payload as Part);
    catchUp();
  });
  document.addEventListener('visibilitychange', catchUp);
  catchUp();
  return stop;
}

interface ReaderOptions {
  readonly line: number;
  readonly follower: LogFollower;
  readonly signal: AbortSignal;
}

/** Reads a log from the last position to the reported end. */
function createReader(log: LogAddress, { line, follower, signal }: ReaderOptions) {
  // The last line may have been incomplete when it was read.
  let lastLine = line;
  let knownBytes = 0;
  let told: Part | undefined;
  let isBehind = true;

  const takeEnd = ({ totalBytes, totalLines, isEstimate }: Part): void => {
    if (totalBytes < knownBytes) {
      // The log became shorter: its last line reports that, and the one before was cut. Interleaved streams may differ anywhere.
      // The numbers of an attempt are not those of the whole log.
      const isUnknown = log.stream === 'both' || log.attempt !== undefined || isEstimate;
      lastLine = isUnknown ? 1 : Math.max(1, totalLines - 1);
      follower.onCut(lastLine);
    }
    knownBytes = totalBytes;
  };
  const readToEnd = async (): Promise<void> => {
    for (let isEnd = false; !isEnd;) {
      const part = await readLogLines(log, { line: lastLine, limit: partLines }, signal);
      const read = part.lines.at(-1)?.number ?? lastLine;
      isEnd = read === lastLine || part.nextLine > part.totalLines;
      lastLine = read;
      follower.onLines(part);
    }
  };
  return {
    tell: (end: Part): void => {
      told = end;
      isBehind = true;
    },
    /** Rejects when a request fails; then the next call continues. */
    catchUp: async (): Promise<void> => {
      while (isBehind) {
        isBehind = false;
        if (told !== undefined) takeEnd(told);
        await readToEnd().catch((error: unknown) => {
          isBehind = true;
          throw error;
        });
      }
    },
  };
}
