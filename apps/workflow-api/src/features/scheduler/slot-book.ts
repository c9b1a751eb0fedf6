import type { ScheduleTimes } from '@weir/workflow-spec';
import { createSortedList } from '../dags';
import { before, later, nextDue } from './due-actions';
import type { ScheduledDag } from './scheduled-dag';

/** A DAG, and up to when its slots are worked off. */
export interface PlannedDag {
  readonly dag: ScheduledDag;
  readonly settledUntil: Date;
}

interface Place extends PlannedDag {
  readonly at: number;
}

export interface SlotBook {
  readonly size: number;
  /** Adds a DAG, or takes in that it has changed; what is due for it by then stays due. */
  put(dag: ScheduledDag, settledUntil: Date): void;
  remove(fileName: string): void;
  has(fileName: string): boolean;
  /** The DAGs for which something is due by then; they are due until they are settled. */
  due(to: Date): readonly PlannedDag[];
  /** The slots of a DAG up to then are worked off. */
  settle(fileName: string, until: Date): void;
}

/** DAGs by the time when something is due for them next, so that a look at it touches only those that are due. */
export function createSlotBook(times: ScheduleTimes): SlotBook {
  const order = createSortedList<Place>(
    (left, right) => left.at - right.at || compareNames(left.dag.fileName, right.dag.fileName),
  );
  const places = new Map<string, Place>();

  const remove = (fileName: string): void => {
    const place = places.get(fileName);
    if (place !== undefined) order.remove(place);
    places.delete(fileName);
  };
  const put = (dag: ScheduledDag, settledUntil: Date): void => {
    remove(dag.fileName);
    const next = nextDue(dag, settledUntil, times);
    // Nothing is due before the next time, so what lies in between need not be looked at again.
    const place = { dag, settledUntil: next ? before(next, 1) : settledUntil, at: next?.getTime() ?? Infinity };
    places.set(dag.fileName, place);
    if (next) order.insert(place);
  };

  return {
    get size() {
      return places.size;
    },
    put: (dag, settledUntil) => {
      const place = places.get(dag.fileName);
      const isDue = place?.dag.name === dag.name && place.at <= settledUntil.getTime();
      // A slot that only a new schedule has, before it was given, is none.
      put(dag, isDue ? place.settledUntil : settledUntil);
    },
    remove,
    has: (fileName) => places.has(fileName),
    due: (to) => {
      const found: PlannedDag[] = [];
      for (let place = order.at(0); place !== undefined && place.at <= to.getTime(); place = order.at(found.length)) {
        found.push(place);
      }
      return found;
    },
    settle: (fileName, until) => {
      const place = places.get(fileName);
      if (place !== undefined) put(place.dag, later(place.settledUntil, until));
    },
  };
}

function compareNames(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
