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

export interface CutSearch {
  /** The start of the search: the beginning, or a position that was found before. */
  readonly from?: number;
  readonly limit?: number;
}

/** Positions at which names must be split, in order; at most `limit` of them. */
export function findCutPositions(
  text: string,
  names: NamedTokenPattern,
  { from = 0, limit = Number.POSITIVE_INFINITY }: CutSearch = {},
): readonly number[] {
  if (names === undefined) return [];
  const positions: number[] = [];
  names.lastIndex = from;
  for (let match = names.exec(text); match !== null && positions.length < limit; match = names.exec(text)) {
    const position = match.index + String.fromCodePoint(text.codePointAt(match.index) ?? 0).length;
    if (position < match.index + match[0].length) positions.push(position);
    // The search does not skip the whole name: another one may begin inside it.
    names.lastIndex = position;
  }
  // A copy of the expression for each string would take longer than most searches; `matchAll` begins at this index.
  names.lastIndex = 0;
  return positions;
}
