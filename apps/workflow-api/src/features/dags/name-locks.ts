/** Runs the work for one name after the work that was given for it before, whether or not that failed. */
export interface NameLocks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The same for several names, of which one may occur twice. */
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
    // In one order everywhere, so that no two wait for each other.
    runAll: (names, work) => [...new Set(names)].sort().reduceRight((inner, name) => () => run(name, inner), work)(),
  };
}
