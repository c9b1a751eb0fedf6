/** Runs the work for one name after the earlier work for it, even if that failed. */
export interface NameLocks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Does the same for several names, which may contain a name twice. */
  runAll<T>(names: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createNameLocks(): NameLocks {
  const last = new Map<string, Promise<unknown>>();
  const run: NameLocks['run'] = async (name, work) => {
    const previous = last.get(name) ?? Promise.resolve();
    const result = previous.then(work, work);
    last.set(name, result);
    try {
      return await result;
    } finally {
      if (last.get(name) === result) last.delete(name);
    }
  };
  return {
    run,
    // Names are locked in the same order everywhere, so that no two calls wait for each other.
    runAll: (names, work) => [...new Set(names)].sort().reduceRight((inner, name) => () => run(name, inner), work)(),
  };
}
