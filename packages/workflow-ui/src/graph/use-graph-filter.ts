import type { GraphDirection } from '@weir/ui-kit/graph-layout';
import { useCallback, useMemo, useRef, useState } from 'react';
import { toGraphItems, type GraphItem, type GraphScope } from './graph-items';
import { isDone } from './graph-store';
import type { GraphStep } from './graph-step';

export interface GraphFilterState {
  readonly items: readonly GraphItem[];
  /** The direction that a person has chosen. */
  readonly direction: GraphDirection | undefined;
  readonly turnTo: (direction: GraphDirection) => void;
  readonly scope: GraphScope;
  /** The step that the scope starts from. */
  readonly origin: string | undefined;
  readonly limitTo: (scope: GraphScope) => void;
  readonly hidesDone: boolean;
  readonly hideDone: (hides: boolean) => void;
  readonly isUnfolded: boolean;
  readonly unfold: (id: string) => void;
  readonly fold: () => void;
  readonly showAll: () => void;
}

/** Decides which steps are drawn, and in which direction. A change of statuses alone does not create the layout again. */
export function useGraphFilter(steps: readonly GraphStep[], selected: string | undefined): GraphFilterState {
  const [direction, turnTo] = useState<GraphDirection>();
  const [{ scope, origin }, setScope] = useState<{ scope: GraphScope; origin?: string | undefined }>({ scope: 'all' });
  const [hidesDone, hideDone] = useState(false);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const topology = useStable(steps, isSameTopology);
  const done = steps.filter(({ status }) => hidesDone && isDone(status)).map(({ name }) => name);
  const hidden = useStable(done, isSameList);
  const items = useMemo(
    () => toGraphItems(topology, { scope, origin, hidden: new Set(hidden), unfolded }),
    [topology, scope, origin, hidden, unfolded],
  );
  const unfold = useCallback((id: string) => setUnfolded((known) => new Set([...known, id])), []);
  const limitTo = (next: GraphScope): void => setScope({ scope: next, origin: next === 'all' ? undefined : selected });
  const fold = (): void => setUnfolded(new Set());
  const showAll = (): void => {
    limitTo('all');
    hideDone(false);
  };
  return {
    items,
    direction,
    turnTo,
    scope,
    origin,
    limitTo,
    hidesDone,
    hideDone,
    isUnfolded: unfolded.size > 0,
    unfold,
    fold,
    showAll,
  };
}

/** Returns the earlier value as long as the new one is equal. */
function useStable<Value>(value: Value, isSame: (one: Value, other: Value) => boolean): Value {
  const kept = useRef(value);
  if (!isSame(kept.current, value)) kept.current = value;
  return kept.current;
}

function isSameTopology(one: readonly GraphStep[], other: readonly GraphStep[]): boolean {
  return (
    one === other ||
    (one.length === other.length &&
      one.every((step, index) => {
        const twin = other[index];
        return step.name === twin?.name && step.kind === twin.kind && isSameList(step.depends, twin.depends);
      }))
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
