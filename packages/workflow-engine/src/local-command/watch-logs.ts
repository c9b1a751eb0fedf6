import { cutLog, type LogLimit } from '../logs/log-limit';
import { logsNotWritable } from './command-errors';

export interface LogWatch {
  /** Aborted when a log exceeds its limit and the step is to fail for it. */
  readonly exceeded: AbortSignal;
  /** To be called when all output is in the files. Throws {@link logsNotWritable}. */
  close(): void;
}

// What a step writes in this time can exceed the limit until it is cut.
const intervalMs = 250;

/** Limits the logs of a running process, which writes to the files itself. */
export function watchLogs(files: readonly string[], limit: LogLimit | undefined): LogWatch {
  const controller = new AbortController();
  if (limit === undefined) return { exceeded: controller.signal, close: () => undefined };
  const check = (): void => {
    const isCut = files.map((file) => cutLog(file, limit.maxBytes)).some(Boolean);
    if (isCut && limit.onExceeded === 'fail') controller.abort();
  };
  const timer = setInterval(() => {
    try {
      check();
    } catch {
      // The last check reports it, if it is still so.
    }
  }, intervalMs).unref();
  return {
    exceeded: controller.signal,
    close: () => {
      clearInterval(timer);
      try {
        check();
      } catch (error) {
        throw logsNotWritable(error);
      }
    },
  };
}
