import { distance } from 'fastest-levenshtein';
import { limits } from '../../model/limits';
import { quote } from './quote';

/** Returns the nearest name, or undefined when none is near enough. */
export type Suggest = (wrong: string, names: Iterable<string>) => string | undefined;

/** Returns a message suffix: ` (did you mean "x"?)`. */
export function didYouMean(name: string | undefined): string {
  return name === undefined ? '' : ` (did you mean ${quote(name)}?)`;
}

/** Stops after a number of comparisons, so that a file full of wrong names stays linear. */
export function createSuggest(comparisons: number = limits.suggestionComparisons): Suggest {
  let left = comparisons;
  return (wrong, names) => {
    let best: string | undefined;
    let bestDistance = Math.floor((wrong.length + 1) / 3) + 1;
    if (wrong.length > limits.stepNameBytes) return undefined;
    for (const name of names) {
      if (left <= 0) return undefined;
      if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
      left -= 1;
      const found = editsBetween(wrong.toLowerCase(), name.toLowerCase());
      if (found < bestDistance) [best, bestDistance] = [name, found];
    }
    return best;
  };
}

/** Two swapped neighbours count as one edit, so `rnu` is as near to `run` as `runn` is. */
function editsBetween(wrong: string, name: string): number {
  if (wrong.length === name.length && isSwap(wrong, name)) return 1;
  return distance(wrong, name);
}

function isSwap(left: string, right: string): boolean {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return left[at] === right[at + 1] && left[at + 1] === right[at] && left.slice(at + 2) === right.slice(at + 2);
}
