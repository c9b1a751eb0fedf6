/** Executes one work after the other, in the order of the calls. A work that fails does not stop the next one. */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>;

// Not a mutex of a library: two of these are on the way of every completion, and this is a seventh of the time.
export function createWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
