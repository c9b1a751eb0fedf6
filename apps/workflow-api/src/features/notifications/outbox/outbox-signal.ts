/** Tells the part of this process that sends events that there is one in the outbox. */
export interface OutboxSignal {
  readonly raise: () => void;
  /** One listener; it is told at once if the signal was raised before. */
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
