const quote = 0x22;
const backslash = 0x5c;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

/**
 * Whether JSON text nests arrays and objects deeper than `maxDepth`. Asked before parsing: the parser would manage,
 * but schemas and serialisers walk the value by recursion and run out of stack.
 */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === backslash) index++;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (openers.has(character)) depth++;
    else if (closers.has(character)) depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}
