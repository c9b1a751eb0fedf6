import type { ScheduleTimes } from '@weir/workflow-spec/schedule';
import { compareEntries, type DagEntry } from './dag-entry';
import { createSortedList } from './sorted-list';

interface Due {
  readonly at: number;
  readonly entry: DagEntry;
}

export interface NextRunOrder {
  /** Adds an entry, or updates it after it or its suspension has changed. */
  put(entry: DagEntry, isSuspended: boolean, now: Date): void;
  remove(entry: DagEntry): void;
  /** Calculates only the next runs again that have passed since. */
  refresh(now: Date): void;
  getNextRun(fileName: string): Date | undefined;
  /** Returns the entries with a next run in its order, then the others by name. Call `refresh` first to order the list. */
  page(order: 'asc' | 'desc', start: number, count: number): readonly DagEntry[];
}

/** Keeps all entries sorted by their next run while they change. */
export function createNextRunOrder(times: ScheduleTimes): NextRunOrder {
  const due = createSortedList<Due>((left, right) => left.at - right.at || compareEntries(left.entry, right.entry));
  const never = createSortedList<DagEntry>(compareEntries);
  const dueByFile = new Map<string, Due>();

  const remove = (entry: DagEntry): void => {
    const scheduled = dueByFile.get(entry.fileName);
    if (scheduled !== undefined) due.remove(scheduled);
    dueByFile.delete(entry.fileName);
    never.remove(entry);
  };
  const put = (entry: DagEntry, isSuspended: boolean, now: Date): void => {
    const at = isSuspended ? undefined : times.next(entry.dag.schedule, now);
    if (at === undefined) {
      never.insert(entry);
      return;
    }
    const scheduled = { at: at.getTime(), entry };
    dueByFile.set(entry.fileName, scheduled);
    due.insert(scheduled);
  };

  return {
    put,
    remove,
    refresh: (now) => {
      for (let first = due.at(0); first !== undefined && first.at <= now.getTime(); first = due.at(0)) {
        remove(first.entry);
        put(first.entry, false, now);
      }
    },
    getNextRun: (fileName) => {
      const scheduled = dueByFile.get(fileName);
      return scheduled === undefined ? undefined : new Date(scheduled.at);
    },
    page: (order, start, count) => {
      const end = start + count;
      const scheduled =
        order === 'asc'
          ? due.slice(start, Math.min(end, due.length))
          : due.slice(Math.max(due.length - end, 0), Math.max(due.length - start, 0)).toReversed();
      const rest = never.slice(Math.max(start - due.length, 0), Math.max(end - due.length, 0));
      return [...scheduled.map(({ entry }) => entry), ...rest];
    },
  };
}
