import type { Timer } from '../../model/ports/timer';

export interface StopDeadline {
  readonly signal: AbortSignal;
  dispose(): void;
}

// A run that is stopped cannot stop its handlers: they have this long, unless they have a timeout of their own.
const handlerGraceSec = 300;

export const noDeadline: StopDeadline = { signal: new AbortController().signal, dispose: () => undefined };

/** A signal that is aborted some minutes after the stop of the run. */
export function createStopDeadline(timer: Timer, stop: AbortSignal): StopDeadline {
  const deadline = new AbortController();
  let cancel: () => void = () => undefined;
  const startTimer = (): void => {
    cancel = timer.start(handlerGraceSec * 1000, () => deadline.abort());
  };
  if (stop.aborted) startTimer();
  else stop.addEventListener('abort', startTimer, { once: true });
  return {
    signal: deadline.signal,
    dispose: () => {
      stop.removeEventListener('abort', startTimer);
      cancel();
    },
  };
}
