/** Locks are granted in the order of the calls. The returned function releases the lock; calling it twice is safe. */
export function createMutex(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const previous = last;
    let release: () => void = () => undefined;
    last = new Promise((resolve) => {
      release = resolve;
    });
    await previous;
    return release;
  };
}
