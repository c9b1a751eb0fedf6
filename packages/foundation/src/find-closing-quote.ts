const backslash = 0x5c;

/**
 * The end of the JSON string that begins at `opening`; -1 for an unterminated one. Strings are most of a JSON text, so
 * they are searched instead of walked.
 */
export function findClosingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}
