import type { Plan } from '../../model/plan/plan';

/**
 * The steps that a step depends on, directly or indirectly, breadth first and each once: its own dependencies in the
 * order in which they are named, then theirs.
 */
export function findUpstream({ steps, indexOf }: Pick<Plan, 'steps' | 'indexOf'>, index: number): readonly number[] {
  const found = new Set<number>();
  const indexesBefore = (at: number): readonly number[] =>
    (steps[at]?.depends ?? []).flatMap((name) => indexOf.get(name) ?? []);
  for (const each of indexesBefore(index)) found.add(each);
  // Iterating over a set that grows at its end visits it breadth first.
  for (const each of found) for (const before of indexesBefore(each)) found.add(before);
  return [...found];
}
