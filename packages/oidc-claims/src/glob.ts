/**
 * Whether the whole text matches the pattern. `*` matches any characters, also none and also `/` and `:`; every other
 * character is literal, and there is no escape. Takes time linear in pattern plus text.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return text === first;
  const last = parts[parts.length - 1] ?? '';
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;

  const end = text.length - last.length;
  let from = first.length;
  // The leftmost match suffices: an earlier match of a part never excludes a later part.
  for (const part of parts.slice(1, -1)) {
    const at = indexOfPart(text, part, from, end);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

// Knuth-Morris-Pratt: `indexOf` may take quadratic time, and both texts are untrusted.
function indexOfPart(text: string, part: string, from: number, end: number): number {
  if (part === '') return from;
  const borders = borderTable(part);
  let matched = 0;
  for (let index = from; index < end; index += 1) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (unit === part.charCodeAt(matched)) matched += 1;
    if (matched === part.length) return index - part.length + 1;
  }
  return -1;
}

/** The length of the longest proper prefix that is also a suffix, for each prefix of the part. */
function borderTable(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let index = 1; index < part.length; index += 1) {
    const unit = part.charCodeAt(index);
    while (length > 0 && unit !== part.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (unit === part.charCodeAt(length)) length += 1;
    borders[index] = length;
  }
  return borders;
}
