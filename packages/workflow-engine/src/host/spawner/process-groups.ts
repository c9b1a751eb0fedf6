/** The processes that a spawner has started, each the leader of a group. */
export interface Groups {
  started(leader: number): void;
  ended(leader: number): void;
  /** The owner is gone: ends all of them, then the spawner itself. */
  endAll(): void;
}

const graceMs = 5_000;

export function createGroups(): Groups {
  const leaders = new Set<number>();
  let isEnding = false;
  const exitWhenEmpty = (): void => {
    if (leaders.size === 0) process.exit(0);
  };
  return {
    started: (leader) => void leaders.add(leader),
    ended: (leader) => {
      leaders.delete(leader);
      if (!isEnding) return;
      // Otherwise the owner ends what the leader left behind.
      signalGroup(leader, 'SIGKILL');
      exitWhenEmpty();
    },
    // The next owner ends the processes that were recorded; of those that were not yet, only the spawner knows.
    endAll: () => {
      isEnding = true;
      for (const leader of leaders) signalGroup(leader, 'SIGTERM');
      setTimeout(() => {
        for (const leader of leaders) signalGroup(leader, 'SIGKILL');
        process.exit(0);
      }, graceMs);
      exitWhenEmpty();
    },
  };
}

function signalGroup(leader: number, name: NodeJS.Signals): void {
  try {
    process.kill(-leader, name);
  } catch {
    // No process of the group is left.
  }
}
