import type { NamedTokenPattern } from './named-tokens';

/**
 * Splits a string so that no piece contains the name of a token: each name is split after its first character. A name
 * of one character cannot be split.
 */
export function cutNames(text: string, names: NamedTokenPattern): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const cut of findCutPositions(text, names)) {
    pieces.push(text.slice(start, cut));
    start = cut;
  }
  pieces.push(text.slice(start));
  return pieces.filter((piece) => piece !== '');
}

/** Positions at which names must be split, in order; at most `limit` of them. */
export function findCutPositions(
  text: string,
  names: NamedTokenPattern,
  limit = Number.POSITIVE_INFINITY,
): readonly number[] {
  if (names === undefined) return [];
  const positions: number[] = [];
  const pattern = new RegExp(names);
  for (let match = pattern.exec(text); match !== null && positions.length < limit; match = pattern.exec(text)) {
    const position = match.index + String.fromCodePoint(text.codePointAt(match.index) ?? 0).length;
    if (position < match.index + match[0].length) positions.push(position);
    // Not after the whole name: another one may begin inside it.
    pattern.lastIndex = position;
  }
  return positions;
}
