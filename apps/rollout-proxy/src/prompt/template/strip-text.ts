// Python's white space: U+001C to U+001F and U+0085 belong to it, the byte order mark does not.
const isSpace = (character: string): boolean =>
  character !== '\ufeff' && (/\s/.test(character) || character === '\u0085' || isSeparator(character));

const isSeparator = (character: string): boolean => character >= '\u001c' && character <= '\u001f';

/** Python's `strip`, `lstrip` and `rstrip`. A loop, because an expression takes n² steps for n spaces in the middle. */
export function stripText(text: string, side: 'both' | 'start' | 'end', characters?: ReadonlySet<string>): string {
  const goes = (character: string) => (characters === undefined ? isSpace(character) : characters.has(character));
  let start = 0;
  let end = text.length;
  while (side !== 'end' && start < end) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!goes(character)) break;
    start += character.length;
  }
  while (side !== 'start' && end > start) {
    const isPair = end - start > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
    const character = text.slice(end - (isPair ? 2 : 1), end);
    if (!goes(character)) break;
    end -= character.length;
  }
  return text.slice(start, end);
}
