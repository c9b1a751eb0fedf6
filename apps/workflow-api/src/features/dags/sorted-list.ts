/** Keeps items in order, with no two that compare equal. Positions are found by binary search. */
export interface SortedList<T> {
  readonly length: number;
  at(index: number): T | undefined;
  slice(start: number, end: number): readonly T[];
  all(): readonly T[];
  /** Replaces an item that compares equal, if there is one. */
  insert(item: T): void;
  remove(item: T): void;
}

export function createSortedList<T>(compare: (left: T, right: T) => number): SortedList<T> {
  const items: T[] = [];
  const findIndex = (item: T): { readonly index: number; readonly isPresent: boolean } => {
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const candidate = items[middle];
      if (candidate !== undefined && compare(candidate, item) < 0) low = middle + 1;
      else high = middle;
    }
    const found = items[low];
    return { index: low, isPresent: found !== undefined && compare(found, item) === 0 };
  };
  return {
    get length() {
      return items.length;
    },
    at: (index) => items[index],
    slice: (start, end) => items.slice(start, end),
    all: () => items,
    insert: (item) => {
      const { index, isPresent: isTaken } = findIndex(item);
      items.splice(index, isTaken ? 1 : 0, item);
    },
    remove: (item) => {
      const { index, isPresent: isTaken } = findIndex(item);
      if (isTaken) items.splice(index, 1);
    },
  };
}
