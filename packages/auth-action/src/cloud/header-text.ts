const maxLength = 1024;

/** A text as a header may carry it: one line of printable ASCII, anything else percent-encoded or, as a control, a space. */
export function headerText(text: string): string {
  const line = Array.from(text, headerCharacter).join('').replaceAll(/ +/g, ' ').trim();
  return line.slice(0, maxLength);
}

function headerCharacter(character: string): string {
  if (character < ' ' || character === '\u007f') return ' ';
  return character < '\u007f' ? character : encodeURIComponent(Buffer.from(character).toString());
}
