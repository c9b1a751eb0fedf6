import type { ScheduleTimes } from '@weir/workflow-spec';
import { createSortedList } from '../dags';
import { before, later, nextDue } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';

/** A DAG, and up to when its occurrences are settled. */
export interface DueDag {
  readonly dag: ScheduledDag;
  readonly settledUntil: Date;
}

interface Entry extends DueDag {
  readonly at: number;
}

export interface DueIndex {
  readonly size: number;
  /** Adds a DAG, or takes in that it has changed; what is due for it by then stays due. */
  put(dag: ScheduledDag, settledUntil: Date): void;
  remove(fileName: string): void;
  has(fileName: string): boolean;
  /** The DAGs for which something is due by then; they are due until they are settled. */
  due(to: Date): readonly DueDag[];
  /** The occurrences of a DAG up to then are settled. */
  settle(fileName: string, until: Date): void;
}

/** DAGs by the time when something is due for them next, so that a look at it touches only those that are due. */
export function createDueIndex(times: ScheduleTimes): DueIndex {
  const order = createSortedList<Entry>(
    (left, right) => left.at - right.at || compareNames(left.dag.fileName, right.dag.fileName),
  );
  const entries = new Map<string, Entry>();

  const remove = (fileName: string): void => {
    const entry = entries.get(fileName);
    if (entry !== undefined) order.remove(entry);
    entries.delete(fileName);
  };
  const put = (dag: ScheduledDag, settledUntil: Date): void => {
    remove(dag.fileName);
    const next = nextDue(dag, settledUntil, times);
    // Nothing is due before the next time, so what lies in between need not be looked at again.
    const entry = { dag, settledUntil: next ? before(next, 1) : settledUntil, at: next?.getTime() ?? Infinity };
    entries.set(dag.fileName, entry);
    if (next) order.insert(entry);
  };

  return {
    get size() {
      return entries.size;
    },
    put: (dag, settledUntil) => {
      const entry = entries.get(dag.fileName);
      const isDue = entry?.dag.name === dag.name && entry.at <= settledUntil.getTime();
      // An occurrence that only a new schedule has, before it was given, is none.
      put(dag, isDue ? entry.settledUntil : settledUntil);
    },
    remove,
    has: (fileName) => entries.has(fileName),
    due: (to) => {
      const found: DueDag[] = [];
      for (let entry = order.at(0); entry !== undefined && entry.at <= to.getTime(); entry = order.at(found.length)) {
        found.push(entry);
      }
      return found;
    },
    settle: (fileName, until) => {
      const entry = entries.get(fileName);
      if (entry !== undefined) put(entry.dag, later(entry.settledUntil, until));
    },
  };
}

function compareNames(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
