import { findClosingQuote } from '@weir/foundation';

const quote = 0x22;
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
      index = findClosingQuote(text, index);
      if (index < 0) return false;
    } else if (character === openBrace || character === openBracket) {
      depth++;
      if (depth > maxDepth) return true;
    } else if (character === closeBrace || character === closeBracket) depth--;
  }
  return false;
}
