const maxShownLength = 200;

/**
 * An input's text for a message. What is long, structured or not plain is only counted: somebody may have put a key
 * into the wrong input.
 */
export function show(text: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(text) && !text.startsWith('{') && text.length <= maxShownLength;
  return isPlain ? `"${text}"` : `a text of ${text.length} characters`;
}
