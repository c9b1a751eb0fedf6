// White space in Python includes U+001C to U+001F and U+0085, but not the byte order mark.
const isSpace = (character: string): boolean =>
  character !== '\ufeff' && (/\s/.test(character) || character === '\u0085' || isSeparator(character));

const isSeparator = (character: string): boolean => character >= '\u001c' && character <= '\u001f';

/**
 * Python's `strip`, `lstrip` and `rstrip`. They use a loop, because a regular expression takes n² steps for n inner
 * spaces.
 */
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
