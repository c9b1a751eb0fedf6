/** Whitespace of JSON; the only characters that readers skip. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Position of the first character that is not a space; the text's length when there is none. */
export function findTextStart(text: string): number {
  let at = 0;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Position after the last character that is not a space; 0 when there is none. */
export function findTextEnd(text: string): number {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
