export interface ManualClock {
  readonly now: () => Date;
  readonly nowMs: () => number;
  /** Advances the time and wakes due sleepers, earliest first. */
  readonly advance: (milliseconds: number) => void;
  /** Throws for an earlier time. */
  readonly set: (moment: Date | string) => void;
  /** Resolves when the clock reaches the time. Rejects with the reason of an aborted signal. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Lets a spec wait for a sleeper before it advances the clock. */
  readonly sleeperCount: () => number;
}

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** A clock that only specs advance. Starts at 2026-01-01T00:00:00Z by default. */
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
