/** Does one work after the other, in the order in which they came. A work that fails does not stop the next. */
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
