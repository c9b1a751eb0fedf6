const maxLength = 1024;

/** Converts a text to a header value: control characters become spaces, and what is not Latin-1 is percent-encoded. */
export function headerText(text: string): string {
  const line = Array.from(text, headerCharacter).join('').replaceAll(/ +/g, ' ').trim();
  return line.slice(0, maxLength);
}

function headerCharacter(character: string): string {
  if (character < ' ' || (character >= '\u007f' && character < '\u00a0')) return ' ';
  return character <= '\u00ff' ? character : encodeURIComponent(Buffer.from(character).toString());
}
