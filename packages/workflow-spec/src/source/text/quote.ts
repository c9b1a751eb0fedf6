const shownLength = 80;
// JSON does not escape these characters, although they move the cursor, end a line or change the text direction.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Quotes text of the file for a message: on one line, with printable characters, cut when it is long. */
export function quote(text: string): string {
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return JSON.stringify(shown).replace(unprintable, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
