/** Numbers that repeat for a seed. */
export interface SeededChoice {
  /** Returns a number from 0 to below `end`. */
  below(end: number): number;
  of<Item>(items: readonly Item[]): Item;
}

export function createSeededChoice(seed: number): SeededChoice {
  let state = seed >>> 0;
  const below = (end: number): number => {
    // A linear congruential generator; its high bits are good enough to choose by.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  return {
    below,
    of: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to choose from.');
      return item;
    },
  };
}
