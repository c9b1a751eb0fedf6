/** Runs the work for one name after the work that was given for it before, whether or not that failed. */
export interface NameLocks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createNameLocks(): NameLocks {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: async (name, work) => {
      const previous = last.get(name) ?? Promise.resolve();
      const result = previous.then(work, work);
      last.set(name, result);
      try {
        return await result;
      } finally {
        if (last.get(name) === result) last.delete(name);
      }
    },
  };
}
