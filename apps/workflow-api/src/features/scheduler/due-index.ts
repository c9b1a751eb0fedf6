import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import { createSortedList } from '../dags';
import { before, later, nextDue } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';

/** A DAG and the time up to which its occurrences are settled. */
export interface DueDag {
  readonly dag: ScheduledDag;
  readonly settledUntil: Date;
}

interface Entry extends DueDag {
  /** The time until the next occurrence is excluded, because another schedule may use it. */
  readonly doneUntil: Date;
  readonly at: number;
}

export interface DueIndex {
  readonly size: number;
  /** Adds or updates a DAG; its due occurrences stay due, and its settled ones stay settled. */
  put(dag: ScheduledDag, settledUntil: Date): void;
  remove(fileName: string): void;
  has(fileName: string): boolean;
  /** Returns the DAGs with due occurrences at that time, until they are settled. */
  due(to: Date): readonly DueDag[];
  /** Marks the occurrences of a DAG up to that time as settled. */
  settle(fileName: string, until: Date): void;
}

/** Orders DAGs by their next due time, so that a tick touches only those with due occurrences. */
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
    // No occurrence is due before the next time, so the time until then counts as settled.
    const entry = {
      dag,
      settledUntil: next ? before(next, 1) : settledUntil,
      doneUntil: settledUntil,
      at: next?.getTime() ?? Infinity,
    };
    entries.set(dag.fileName, entry);
    if (next) order.insert(entry);
  };

  return {
    get size() {
      return entries.size;
    },
    put: (dag, settledUntil) => {
      const entry = entries.get(dag.fileName);
      // A new schedule has no occurrences before it was set.
      if (entry?.dag.name !== dag.name) put(dag, settledUntil);
      else if (entry.at <= settledUntil.getTime()) put(dag, entry.settledUntil);
      // The file may change when a tick has settled this DAG, but not yet the others.
      else put(dag, later(settledUntil, entry.doneUntil));
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
