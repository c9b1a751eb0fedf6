/** An entry of the log of a run: an action of the server, and the step that it is about. */
export interface JournalEntry {
  readonly time: number;
  /** A message such as `step started`. */
  readonly message: string;
  readonly fields: Readonly<Record<string, string | number>>;
}

const field = /([A-Za-z]+)=("(?:[^"\\]|\\.)*"|[^ ]+)/g;

/** Reads a line such as `2026-05-01T02:00:00.000Z step ended step="load" exitCode=0`; returns `undefined` for any other. */
export function parseJournalLine(line: string): JournalEntry | undefined {
  const match = /^(\S+Z) ([a-z ]+?)(?: (?=[A-Za-z]+=)(.*))?$/.exec(line);
  const [, at = '', message = '', rest = ''] = match ?? [];
  const time = Date.parse(at);
  if (Number.isNaN(time)) return undefined;
  const fields = Object.fromEntries(
    [...rest.matchAll(field)].map(([, name = '', value = '']) => [name, parseValue(value)]),
  );
  return { time, message, fields };
}

function parseValue(text: string): string | number {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' || typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
