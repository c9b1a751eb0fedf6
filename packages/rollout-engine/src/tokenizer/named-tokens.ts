/** Finds the names of tokens in a string from left to right, the longest of those that start at one position. */
export type NamedTokenPattern = RegExp | undefined;

const special = /[$()*+./?[\\\]^{|}-]/g;

/** `undefined` without names. The expression is global: use it only with `matchAll`, `replaceAll` or `findCutPositions`. */
export function namedTokenPattern(names: Iterable<string>): NamedTokenPattern {
  const sorted = [...new Set(names)].filter((name) => name !== '').sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return undefined;
  return new RegExp(sorted.map((name) => name.replaceAll(special, String.raw`\$&`)).join('|'), 'g');
}
