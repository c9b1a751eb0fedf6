import type { Plan } from '../../model/plan/plan';
import { countsAsAttempt, type StepSnapshot } from './step-snapshot';
import { getStep } from '../../model/plan/plan';
import type { AttemptCounts } from './attempt-end';

/** Counts the attempts of the steps of a scope. */
export interface AttemptCounter {
  get(index: number): AttemptCounts;
  /** Whether the step has started. */
  has(index: number): boolean;
  set(index: number, counts: AttemptCounts): void;
  /** Counts the attempt that starts. */
  increment(index: number): AttemptCounts;
}

const none: AttemptCounts = { attempt: 0, retries: 0, iterations: 0 };

/** `snapshots` of a run that is resumed. */
export function createAttemptCounter({ steps }: Plan, snapshots: readonly StepSnapshot[] = []): AttemptCounter {
  const known = new Map<number, AttemptCounts>();
  for (const [index, snapshot] of snapshots.entries()) {
    const { iterations } = snapshot;
    const retries = snapshot.retries + Number(countsAsAttempt(getStep(steps, index), snapshot));
    const attempt = retries + iterations;
    if (attempt > 0) known.set(index, { attempt, retries, iterations });
  }
  const get = (index: number): AttemptCounts => known.get(index) ?? none;
  return {
    get,
    has: (index) => known.has(index),
    set: (index, counts) => void known.set(index, counts),
    increment: (index) => {
      const counts = get(index);
      const increment = { ...counts, attempt: counts.attempt + 1 };
      known.set(index, increment);
      return increment;
    },
  };
}
