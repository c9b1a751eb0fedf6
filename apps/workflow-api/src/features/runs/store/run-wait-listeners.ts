/** Manages listeners for commits that end a run or make it wait: those of this process and, during a watch, those of others. */
export interface RunWaitListeners {
  /** Returns the function that removes the listener. */
  readonly subscribe: (runId: string, listener: () => void) => () => void;
  readonly notify: (runId: string) => void;
  /** Notifies all listeners, because any run may have changed. */
  readonly notifyAll: () => void;
}

export function createRunWaitListeners(): RunWaitListeners {
  const listeners = new Map<string, Set<() => void>>();
  return {
    subscribe: (runId, listener) => {
      const ofRun = listeners.get(runId) ?? new Set();
      listeners.set(runId, ofRun.add(listener));
      return () => {
        ofRun.delete(listener);
        if (ofRun.size === 0 && listeners.get(runId) === ofRun) listeners.delete(runId);
      };
    },
    notify: (runId) => {
      for (const listener of listeners.get(runId) ?? []) listener();
    },
    notifyAll: () => {
      for (const listener of [...listeners.values()].flatMap((ofRun) => [...ofRun])) listener();
    },
  };
}
