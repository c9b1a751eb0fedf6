/** A run that holds a slot, or is claimed before the explained run. */
export interface RunAhead {
  readonly dagName: string;
  /** Missing for a run that waits. */
  readonly startedAt?: Date | undefined;
}

export interface StartFacts {
  readonly at: Date;
  /** The earliest time at which the run may be claimed. */
  readonly availableAt: Date;
  readonly slots: number;
  readonly holders: readonly RunAhead[];
  /** The runs in the order in which they are claimed. */
  readonly before: readonly RunAhead[];
  /** The durations of the newest ended runs of each DAG, in milliseconds. */
  readonly durations: ReadonlyMap<string, readonly number[]>;
}

/**
 * Estimates when the run gets a slot if each run ahead takes the median time of its DAG. Returns `undefined` when a
 * DAG ahead has no run that has ended. A run that has already taken longer is expected to take as long as the next
 * longer one did, or to end now.
 */
export function estimateStart(facts: StartFacts): Date | undefined {
  const { at, availableAt, slots, holders, before, durations } = facts;
  const now = at.getTime();
  const ends = holders.map(({ dagName, startedAt = at }) => {
    const expected = expectDuration(durations.get(dagName) ?? [], now - startedAt.getTime());
    return expected === undefined ? undefined : Math.max(now, startedAt.getTime() + expected);
  });
  const free = Array.from({ length: Math.max(0, slots - holders.length) }, () => now);
  const slotsFreeAt = [...free, ...ends.flatMap((end) => end ?? [])].toSorted((one, other) => one - other);
  if (ends.includes(undefined)) return undefined;
  // When the limit of the queue was lowered, there may be more active runs than slots, and all surplus ones must end first.
  const usable = slotsFreeAt.slice(Math.max(0, holders.length - slots));
  for (const { dagName } of before) {
    const expected = expectDuration(durations.get(dagName) ?? [], 0);
    const next = usable.shift();
    if (expected === undefined || next === undefined) return undefined;
    insertSorted(usable, next + expected);
  }
  const [start] = usable;
  return start === undefined ? undefined : new Date(Math.max(start, availableAt.getTime()));
}

function expectDuration(durations: readonly number[], elapsed: number): number | undefined {
  const sorted = durations.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined || median >= elapsed) return median;
  return sorted.find((duration) => duration >= elapsed) ?? elapsed;
}

function insertSorted(values: number[], value: number): void {
  const index = values.findIndex((other) => other > value);
  values.splice(index < 0 ? values.length : index, 0, value);
}
