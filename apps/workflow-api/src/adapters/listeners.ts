/** The functions that are called when something happens in this process. */
export interface Listeners<T> {
  /** Returns the function that removes the listener. */
  readonly subscribe: (listener: (value: T) => void) => () => void;
  /** Calls the listeners. */
  readonly announce: (value: T) => void;
}

export function createListeners<T = void>(): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce: (value) => {
      for (const listener of listeners) listener(value);
    },
  };
}
