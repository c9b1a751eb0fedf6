import { useEffect, useState, useSyncExternalStore } from 'react';
import type { LogPlace, LogSource } from './log-source';
import { closedLog, LogWindow, type LogState } from './log-window';

/** Creates the window of a log while it is on the page. */
export function useLogWindow(source: LogSource, opening: LogPlace): LogWindow | undefined {
  const [log, setLog] = useState<LogWindow>();
  // The opening position counts only at first; after that, the person scrolls.
  const [place] = useState(opening);
  useEffect(() => {
    const created = new LogWindow(source);
    setLog(created);
    void created.open(place);
    return () => created.close();
  }, [source, place]);
  return log;
}

export function useLogState(log: LogWindow | undefined): LogState {
  return useSyncExternalStore(log?.subscribe ?? subscribeToNothing, log?.getState ?? getClosed);
}

const subscribeToNothing = (): (() => void) => () => undefined;
const getClosed = (): LogState => closedLog;

/** Follows a growing log, once its end is known. */
export function useFollowing(log: LogWindow | undefined, { isOpen, isEstimate }: LogState, isGrowing: boolean): void {
  const isReady = isGrowing && isOpen && !isEstimate;
  useEffect(() => (isReady ? log?.follow() : undefined), [log, isReady]);
}
