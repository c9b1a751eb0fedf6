/** The promise's outcome, or the signal's reason if that comes first. The work behind the promise goes on. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    // Passed on as it is: callers tell a time-out by the name of the reason.
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stopListening();
  }
}
