import type { LogLimit } from '../../model/ports/log-limits';
import type { LogTimes } from './log-times';
import { logsNotWritable } from './log-errors';

export interface LogWatch {
  /** Aborted when a log exceeds its limit and the step is to fail for it. */
  readonly exceeded: AbortSignal;
  /** Must be called when all output is in the files. Throws {@link logsNotWritable}. */
  close(): void;
}

export interface WatchOptions {
  /** Default: none. */
  readonly limit: LogLimit | undefined;
  readonly times: LogTimes;
}

// What a step writes in this time can exceed the limit until it is cut, and has the same time.
const intervalMs = 250;

/** Limits and times the logs of a running process, which writes to the files itself. */
export function watchLogs(files: readonly string[], { limit, times }: WatchOptions): LogWatch {
  const controller = new AbortController();
  const cut = (): void => {
    if (limit === undefined) return;
    if (limit.cut(files) && limit.onExceeded === 'fail') controller.abort();
  };
  const timer = setInterval(() => {
    try {
      cut();
      times.observe();
    } catch {
      // The last check reports it, if it is still so.
    }
  }, intervalMs).unref();
  return {
    exceeded: controller.signal,
    close: () => {
      clearInterval(timer);
      try {
        cut();
        times.close();
      } catch (error) {
        throw logsNotWritable(error);
      }
    },
  };
}
