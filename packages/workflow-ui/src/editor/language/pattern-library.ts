// Stands for the library of RE2 patterns in the language worker. It is a quarter of the worker and most texts have no pattern, so it is loaded when one is read.
import type { RE2JS as Library } from '#re2js';

let library: typeof Library | undefined;
let isWanted = false;

export const RE2JS: Pick<typeof Library, 'compile' | 'quote'> = {
  compile: (pattern) => {
    if (library !== undefined) return library.compile(pattern);
    isWanted = true;
    throw new Error('The library of patterns is not loaded yet.');
  },
  quote: (text) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&'),
};

/** Whether a text must be read once more, because it was read before the library that it needs was there. */
export async function loadWantedPatterns(): Promise<boolean> {
  if (!isWanted || library !== undefined) return false;
  ({ RE2JS: library } = await import('#re2js'));
  return true;
}
