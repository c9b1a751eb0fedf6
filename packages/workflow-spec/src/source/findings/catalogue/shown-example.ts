const mostLines = 12;
const mostCharacters = 100;

/** Cuts an example for display: examples of size limits would fill pages. */
export function shownExample(text: string): string {
  const lines = text.trim().split('\n', mostLines + 1);
  const shown = lines.slice(0, mostLines).map((line) => cut(line));
  return [...shown, ...(lines.length > mostLines ? ['# and so on'] : [])].join('\n');
}

function cut(line: string): string {
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
}
