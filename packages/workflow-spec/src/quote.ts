const shownLength = 80;

/** A text of the file inside a message: quoted, on one line, and cut when it is long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);
}
