/** Finds the names of tokens in a text: of those that start at one place the longest, from left to right. */
export type NamedTokenPattern = RegExp | undefined;

const special = /[$()*+./?[\\\]^{|}-]/g;

/** `undefined` where there are no names. The expression is global: use it with `matchAll` or `replaceAll` only. */
export function namedTokenPattern(names: Iterable<string>): NamedTokenPattern {
  const sorted = [...new Set(names)].filter((name) => name !== '').sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return undefined;
  return new RegExp(sorted.map((name) => name.replaceAll(special, String.raw`\$&`)).join('|'), 'g');
}
