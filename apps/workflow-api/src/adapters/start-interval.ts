/** Calls `work` at an interval, without keeping the process alive, until the returned function is called. */
export function startInterval(pauseMs: number, work: () => void): () => void {
  const timer = setInterval(work, pauseMs);
  timer.unref();
  return () => clearInterval(timer);
}
