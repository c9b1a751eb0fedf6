import { useEffect, useState } from 'react';
import { GraphStore, type Marks } from './graph-store';
import type { GraphStep } from './graph-step';

/** The store of a graph, kept in step with what the graph is given. */
export function useGraphStore(
  steps: readonly GraphStep[],
  selected: string | undefined,
  { found, critical }: Pick<Marks, 'found' | 'critical'>,
): GraphStore {
  const [store] = useState(() => new GraphStore());
  useEffect(() => store.setSteps(steps), [store, steps]);
  useEffect(() => store.setMarks({ selected, found, critical }), [store, selected, found, critical]);
  return store;
}
