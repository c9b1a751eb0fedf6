import { distance } from 'fastest-levenshtein';
import { limits } from './limits';
import { quote } from './quote';

/** Answers ` (did you mean "x"?)`, or nothing when no name is near enough. */
export type Suggest = (wrong: string, names: Iterable<string>) => string;

/** Stops comparing after a number of comparisons, so that a file full of wrong names stays linear. */
export function createSuggest(comparisons: number = limits.suggestionComparisons): Suggest {
  let left = comparisons;
  return (wrong, names) => {
    let best: string | undefined;
    let bestDistance = Math.floor((wrong.length + 1) / 3) + 1;
    if (wrong.length > limits.stepNameBytes) return '';
    for (const name of names) {
      if (left <= 0) return '';
      if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
      left -= 1;
      const found = distance(wrong.toLowerCase(), name.toLowerCase());
      if (found < bestDistance) [best, bestDistance] = [name, found];
    }
    return best === undefined ? '' : ` (did you mean ${quote(best)}?)`;
  };
}
