const maxShownLength = 200;

/**
 * The text of an input for a message. For long, structured or non-ASCII text only the length is given, because it may be
 * a key in the wrong input.
 */
export function quoteInput(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !text.startsWith('{') && text.length <= maxShownLength;
  return isPlain ? `"${text}"` : `a string of ${text.length} characters`;
}
