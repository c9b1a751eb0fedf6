const shownLength = 80;
// What JSON leaves as it is although it moves a cursor, ends a line or turns the direction of what follows.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text of the file inside a message: quoted, on one line, of printable characters, and cut when it is long. */
export function quote(text: string): string {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return JSON.stringify(shown).replace(unprintable, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
