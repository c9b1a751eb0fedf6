/** Hands out turns in the order they were asked for. The returned function ends the turn; calling it twice is safe. */
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
