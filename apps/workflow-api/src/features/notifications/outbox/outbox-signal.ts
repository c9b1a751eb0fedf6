/** Wakes the part of this process that sends events when the outbox has a new one. */
export interface OutboxSignal {
  readonly raise: () => void;
  /** Accepts one listener; it is called at once if the signal was raised before. */
  readonly listen: (listener: () => void) => void;
}

export function createOutboxSignal(): OutboxSignal {
  let isRaised = false;
  let tell = (): void => {
    isRaised = true;
  };
  return {
    raise: () => tell(),
    listen: (listener) => {
      tell = listener;
      if (isRaised) listener();
    },
  };
}
