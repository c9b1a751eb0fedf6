/** Gives the slot back. Calling it again does nothing. */
export type ReleasePermit = () => void;

export interface Permits {
  /** Waits for a free slot, first come first served; `undefined` when `signal` was aborted before. */
  acquire(signal: AbortSignal): Promise<ReleasePermit | undefined>;
  /** Lets one more begin, because a holder does nothing until the returned function is called. */
  lend(): () => void;
}

/** A bound on how many things happen at the same time. */
export function createPermits(count: number): Permits {
  let free = count;
  const waiting = new Set<() => void>();
  const release = (): void => {
    free += 1;
    // A place that was lent and taken back is owed.
    if (free < 1) return;
    const [next] = waiting;
    next?.();
  };
  const grant = (): ReleasePermit => {
    free -= 1;
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };
  return {
    lend: () => {
      release();
      let isLent = true;
      return () => {
        if (isLent) free -= 1;
        isLent = false;
      };
    },
    acquire: (signal) => {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) return Promise.resolve(grant());
      return new Promise((resolve) => {
        const settle = (permit: ReleasePermit | undefined): void => {
          waiting.delete(onFree);
          signal.removeEventListener('abort', onAbort);
          resolve(permit);
        };
        const onFree = (): void => settle(grant());
        const onAbort = (): void => settle(undefined);
        waiting.add(onFree);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
