/** A queue from callbacks to one reader. */
export interface Inbox<T> {
  put(item: T): void;
  /** Everything that has arrived, in order; waits until there is something. */
  drain(): Promise<readonly T[]>;
}

export function createInbox<T>(): Inbox<T> {
  let items: T[] = [];
  let wake: (() => void) | undefined;
  return {
    put(item) {
      items.push(item);
      wake?.();
    },
    async drain() {
      if (items.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      const drained = items;
      items = [];
      return drained;
    },
  };
}
