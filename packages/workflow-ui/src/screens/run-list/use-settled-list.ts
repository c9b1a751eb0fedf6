import { useState } from 'react';

export interface SettledList<Item> {
  readonly items: readonly Item[];
  /** The number of new items that wait. */
  readonly waiting: number;
  readonly showAll: () => void;
}

export interface ReadList {
  /** Another key starts again. */
  readonly key: string;
  /** Whether a person reads the list, so that nothing may move. */
  readonly isRead: boolean;
  /** Whether there are items behind the page: then new ones push others out of it. */
  readonly hasMore: boolean;
}

/** Returns a list that does not move while it is read: new items wait, and present ones change in place. */
export function useSettledList<Item>(
  newest: readonly Item[],
  getId: (item: Item) => string,
  { key, isRead, hasMore }: ReadList,
): SettledList<Item> {
  const [shown, setShown] = useState({ key, items: newest });
  const settled =
    isRead && shown.key === key ? settle(shown.items, newest, { getId, hasMore }) : { items: newest, waiting: 0 };
  const isSame =
    shown.key === key &&
    shown.items.length === settled.items.length &&
    shown.items.every((item, index) => item === settled.items[index]);
  // The list is kept from this pass on: the next one begins with the shown items.
  if (!isSame) setShown({ key, items: settled.items });
  return { ...settled, showAll: () => setShown({ key, items: newest }) };
}

/** Exported for its specs. */
export function settle<Item>(
  shown: readonly Item[],
  newest: readonly Item[],
  { getId, hasMore }: { readonly getId: (item: Item) => string } & Pick<ReadList, 'hasMore'>,
): Pick<SettledList<Item>, 'items' | 'waiting'> {
  const present = new Map(newest.map((item) => [getId(item), item]));
  const known = new Set(shown.map(getId));
  const lastPresent = shown.findLastIndex((item) => present.has(getId(item)));
  return {
    items: shown.flatMap((item, index) => {
      const isPushedOut = hasMore && index > lastPresent;
      return present.get(getId(item)) ?? (isPushedOut ? item : []);
    }),
    waiting: newest.filter((item) => !known.has(getId(item))).length,
  };
}
