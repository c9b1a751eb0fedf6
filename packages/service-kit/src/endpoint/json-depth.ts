const quote = 0x22;
const backslash = 0x5c;
const [openBracket, openBrace, closeBracket, closeBrace] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Whether JSON text nests arrays and objects deeper than `maxDepth`. Asked before parsing: the parser would manage,
 * but schemas and serialisers walk the value by recursion and run out of stack.
 */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      index = closingQuote(text, index);
      if (index < 0) return false;
    } else if (character === openBrace || character === openBracket) {
      depth++;
      if (depth > maxDepth) return true;
    } else if (character === closeBrace || character === closeBracket) depth--;
  }
  return false;
}

/** Strings are most of a body, so they are searched instead of walked; -1 for an unterminated one. */
function closingQuote(text: string, opening: number): number {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}
