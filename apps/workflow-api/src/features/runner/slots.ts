/** Gives the slot back. Calling it again does nothing. */
export type ReleaseSlot = () => void;

export interface Slots {
  /** Waits for a free slot, first come first served; `undefined` when `signal` was aborted before. */
  acquire(signal: AbortSignal): Promise<ReleaseSlot | undefined>;
}

/** A bound on how many things happen at the same time. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const release = (): void => {
    free += 1;
    const [next] = waiting;
    next?.();
  };
  const take = (): ReleaseSlot => {
    free -= 1;
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };
  return {
    acquire: (signal) => {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) return Promise.resolve(take());
      return new Promise((resolve) => {
        const settle = (slot: ReleaseSlot | undefined): void => {
          waiting.delete(onFree);
          signal.removeEventListener('abort', onAbort);
          resolve(slot);
        };
        const onFree = (): void => settle(take());
        const onAbort = (): void => settle(undefined);
        waiting.add(onFree);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
