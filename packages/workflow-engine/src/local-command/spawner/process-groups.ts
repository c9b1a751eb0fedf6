/** The processes that a spawner has started, each the leader of a group. */
export interface Groups {
  started(leader: number): void;
  ended(leader: number): void;
  /** The owner is gone: ends all of them, then the spawner itself. */
  endAll(): void;
}

// A part of the program of the spawner: its text, too, may use nothing from outside.
/* istanbul ignore next -- its counters would be something from outside */
function createGroups(): Groups {
  const graceMs = 5_000;
  const leaders = new Set<number>();
  let isEnding = false;

  const signal = (leader: number, name: NodeJS.Signals): void => {
    try {
      process.kill(-leader, name);
    } catch {
      // Nobody of it is left.
    }
  };
  const exitWhenEmpty = (): void => {
    if (leaders.size === 0) process.exit(0);
  };
  return {
    started: (leader) => void leaders.add(leader),
    ended: (leader) => {
      leaders.delete(leader);
      if (!isEnding) return;
      // Otherwise the owner ends what its leader left behind.
      signal(leader, 'SIGKILL');
      exitWhenEmpty();
    },
    // The next owner ends what it knows of before it runs anything, but of what was not recorded yet nobody knows.
    endAll: () => {
      isEnding = true;
      for (const leader of leaders) signal(leader, 'SIGTERM');
      setTimeout(() => {
        for (const leader of leaders) signal(leader, 'SIGKILL');
        process.exit(0);
      }, graceMs);
      exitWhenEmpty();
    },
  };
}

// Here, because in front of an export the hint above would get lost.
export { createGroups };
