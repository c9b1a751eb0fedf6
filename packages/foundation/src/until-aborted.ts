/**
 * Settles like the promise, or rejects with the reason of the signal if it aborts first. The work behind the promise
 * is not stopped.
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    // Unchanged, because callers recognize a timeout by the name of the reason.
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
