/** Options for stopping a command that runs elsewhere. */
export interface StopOptions {
  readonly signal: AbortSignal;
  /** Sent when `signal` is aborted; after the grace period comes SIGKILL. */
  readonly stopSignal: string;
  readonly killGraceMs: number;
  /** Delivery is not confirmed; only the end of the command shows it. */
  readonly send: (name: string) => void;
}

/** After SIGKILL: how long to wait for the report of the end. */
const killWaitMs = 2_000;
const stopped = Symbol('stopped');

/** Waits for the end, or forces it after an abort; `undefined` when no end was reported in time. */
export async function endOrStop<End>(ended: Promise<End>, options: StopOptions): Promise<End | undefined> {
  const { signal, stopSignal, killGraceMs, send } = options;
  const end = await untilAborted(ended, signal);
  if (end !== stopped) return end;
  send(stopSignal);
  const graceful = await within(ended, killGraceMs);
  if (graceful !== undefined) return graceful;
  send('SIGKILL');
  return within(ended, killWaitMs);
}

/** The value of the promise, or `undefined` after the time limit. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), limitMs)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The value of the promise, or `stopped` when the signal came first. Removes its listener from the signal. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | typeof stopped> {
  const done = new AbortController();
  const aborted = new Promise<typeof stopped>((resolve) => {
    if (signal.aborted) resolve(stopped);
    else signal.addEventListener('abort', () => resolve(stopped), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}
