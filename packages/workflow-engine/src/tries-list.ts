import type { Plan } from './plan';
import { countsAsTry, type Standing } from './standing';
import { stepAt, type Tries } from './step-attempt';

/** How often each step of a run was begun. */
export interface TriesList {
  of(index: number): Tries;
  /** Whether the step was begun at all. */
  has(index: number): boolean;
  set(index: number, tries: Tries): void;
  /** Counts the attempt that begins. */
  next(index: number): Tries;
}

const none: Tries = { attempt: 0, retries: 0, turns: 0 };

/** `standings` of a run that has gone on before. */
export function createTriesList({ steps }: Plan, standings: readonly Standing[] = []): TriesList {
  const known = new Map<number, Tries>();
  for (const [index, standing] of standings.entries()) {
    const { turns } = standing;
    const retries = standing.retries + Number(countsAsTry(stepAt(steps, index), standing));
    const attempt = retries + turns;
    if (attempt > 0) known.set(index, { attempt, retries, turns });
  }
  const of = (index: number): Tries => known.get(index) ?? none;
  return {
    of,
    has: (index) => known.has(index),
    set: (index, tries) => void known.set(index, tries),
    next: (index) => {
      const tries = of(index);
      const next = { ...tries, attempt: tries.attempt + 1 };
      known.set(index, next);
      return next;
    },
  };
}
