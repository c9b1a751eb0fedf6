import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@weir/service-kit';

export interface SendRepeatedlyOptions {
  readonly send: (how: { readonly isFinal: boolean; readonly isClosed?: boolean }) => Promise<void>;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}

/** With the time for sending, other machines can read a line within a second. */
const everyMs = 400;
const retryMs = 1_000;
const lastAttempts = 3;

/** Sends at intervals, never twice at a time, and again after failures. */
export function sendRepeatedly({ send, logger, stopping }: SendRepeatedlyOptions) {
  const over = new AbortController();
  let isFailing = false;
  let queue: Promise<unknown> = Promise.resolve();
  let repeating: Promise<void> = Promise.resolve();

  const sendNext = (how: Parameters<typeof send>[0]): Promise<void> => {
    const next = queue.then(() => send(how));
    queue = next.catch(() => undefined);
    return next;
  };
  /** Returns whether everything was sent. */
  const attempt = async (how: Parameters<typeof send>[0]): Promise<boolean> => {
    try {
      await sendNext(how);
      if (isFailing) logger.info({}, 'logs and artifacts of runs are sent again');
      isFailing = false;
      return true;
    } catch (error) {
      if (!isFailing) logger.warn({ error }, 'logs and artifacts of runs cannot be sent');
      isFailing = true;
      return false;
    }
  };
  const repeat = async (): Promise<void> => {
    for (;;) {
      await wait(everyMs, over.signal);
      if (over.signal.aborted) return;
      await attempt({ isFinal: false });
    }
  };

  return {
    /** Rejects when the first attempt fails: nothing of the run was executed yet. */
    begin: async (): Promise<void> => {
      await sendNext({ isFinal: false });
      repeating = repeat();
    },
    /** Resolves when everything that was written until now is sent. Rejects once the process stops and cannot send it. */
    flush: async (): Promise<void> => {
      while (!stopping.aborted) {
        if (await attempt({ isFinal: true })) return;
        await wait(retryMs, stopping);
      }
      await sendNext({ isFinal: true });
    },
    /** Sends the rest. Resolves to false if that still fails when the process stops. */
    close: async (): Promise<boolean> => {
      over.abort();
      await repeating;
      for (let attempts = 1; ; attempts += 1) {
        if (await attempt({ isFinal: true, isClosed: true })) return true;
        if (stopping.aborted && attempts >= lastAttempts) {
          logger.warn({}, 'logs of a run stay on this machine, because they could not be sent');
          return false;
        }
        await wait(retryMs, stopping.aborted ? undefined : stopping);
      }
    },
  };
}

/** The wait is shorter once the signal is aborted. */
async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(ms, undefined, signal && { signal }).catch(() => undefined);
}
