import { AppError, createWaitList } from '@weir/foundation';

/** Lets callers pass while it is open; while it is closed they wait. */
export interface PauseGate {
  close(): void;
  open(): void;
  isClosed(): boolean;
  /** Rejects with the signal's reason, or as `unavailable` (`paused`) after the longest wait. */
  pass(signal: AbortSignal): Promise<void>;
}

export function createPauseGate(maxWaitMs: number): PauseGate {
  const waiting = createWaitList();
  let isClosed = false;
  const waitUntilOpen = async (signal: AbortSignal): Promise<void> => {
    const late = AbortSignal.timeout(maxWaitMs);
    try {
      await waiting.wait(AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      if (!late.aborted) throw error;
      throw new AppError('unavailable', 'Generation is paused.', { reason: 'paused' });
    }
  };
  return {
    close: () => {
      isClosed = true;
    },
    open: () => {
      isClosed = false;
      waiting.wakeAll();
    },
    isClosed: () => isClosed,
    pass: async (signal) => {
      signal.throwIfAborted();
      // The gate is checked again after waking, because it may have been closed meanwhile.
      while (isClosed) await waitUntilOpen(signal);
    },
  };
}
