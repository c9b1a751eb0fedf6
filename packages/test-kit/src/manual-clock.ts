export interface ManualClock {
  /** The set time, as a new `Date` for every call. */
  readonly now: () => Date;
  readonly nowMs: () => number;
  /** Moves the time on and wakes every sleeper whose time has come, earliest first. */
  readonly advance: (milliseconds: number) => void;
  /** Moves to a moment; a moment before the present one is refused. */
  readonly set: (moment: Date | string) => void;
  /** Ends when the clock has been moved far enough. An aborted signal rejects with the signal's reason. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** How many sleepers wait, so that a spec can wait for one before it moves the clock. */
  readonly sleeperCount: () => number;
}

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** A clock that moves only when told to. Starts at 2026-01-01T00:00:00Z unless another moment is given. */
export function createManualClock(start: Date | string = '2026-01-01T00:00:00.000Z'): ManualClock {
  let currentMs = parseMoment(start);
  let sleepers: readonly Sleeper[] = [];

  const moveTo = (targetMs: number) => {
    if (targetMs < currentMs) throw new RangeError('A manual clock does not go back.');
    currentMs = targetMs;
    const due = sleepers.filter((sleeper) => sleeper.wakeAtMs <= currentMs);
    sleepers = sleepers.filter((sleeper) => sleeper.wakeAtMs > currentMs);
    for (const sleeper of due.toSorted((left, right) => left.wakeAtMs - right.wakeAtMs)) sleeper.wake();
  };

  const sleep = (milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        sleepers = sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason as Error);
      };
      const wake = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const sleeper: Sleeper = { wakeAtMs: currentMs + milliseconds, wake };
      signal?.addEventListener('abort', abort, { once: true });
      if (milliseconds <= 0) wake();
      else sleepers = [...sleepers, sleeper];
    });

  return {
    now: () => new Date(currentMs),
    nowMs: () => currentMs,
    advance: (milliseconds) => moveTo(currentMs + milliseconds),
    set: (moment) => moveTo(parseMoment(moment)),
    sleep,
    sleeperCount: () => sleepers.length,
  };
}

function parseMoment(moment: Date | string): number {
  const milliseconds = new Date(moment).getTime();
  if (Number.isNaN(milliseconds)) throw new RangeError(`Not a moment: ${String(moment)}`);
  return milliseconds;
}
