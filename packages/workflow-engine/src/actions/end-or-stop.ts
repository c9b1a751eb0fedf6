/** How something that runs elsewhere is asked to end. */
export interface StopOptions {
  readonly signal: AbortSignal;
  /** Asks it to end when `signal` is aborted; after the grace time it is killed. */
  readonly stopSignal: string;
  readonly killGraceMs: number;
  /** Whether it arrived shows in the end only. */
  readonly send: (name: string) => void;
}

/** After a kill: how long whoever runs it has to tell of its end. */
const killWaitMs = 2_000;
const stopped = Symbol('stopped');

/** Waits for the end, or brings it about; `undefined` when nothing was heard of it in time. */
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

/** What the promise gives, or nothing after that time. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), limitMs)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the promise gives, or that the signal came first. Leaves nothing behind on the signal. */
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
