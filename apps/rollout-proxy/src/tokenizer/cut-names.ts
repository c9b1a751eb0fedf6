import type { NamedTokenPattern } from './named-tokens';

/**
 * Pieces of a text, none of which holds the name of a token: each name is cut behind its first character. A name of one
 * character can not be cut and is left.
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

/** Where a name has to be cut, in order. */
export function findCutPositions(text: string, names: NamedTokenPattern): readonly number[] {
  if (names === undefined) return [];
  const positions: number[] = [];
  const pattern = new RegExp(names);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const position = match.index + String.fromCodePoint(text.codePointAt(match.index) ?? 0).length;
    if (position < match.index + match[0].length) positions.push(position);
    // Not behind the whole name: another one may begin inside it.
    pattern.lastIndex = position;
  }
  return positions;
}
