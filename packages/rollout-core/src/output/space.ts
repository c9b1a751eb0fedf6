/** Whitespace of JSON; the only characters that these readers pass over. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Position of the first character that is no space; the text's length when there is none. */
export function findTextStart(text: string): number {
  let at = 0;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Position behind the last character that is no space; 0 when there is none. */
export function findTextEnd(text: string): number {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
