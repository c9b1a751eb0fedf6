/** What the log hides: grows while a job runs. */
export interface Masks {
  /** The value and each of its lines, in the spellings that the runner knows. */
  readonly add: (value: string) => void;
  readonly apply: (text: string) => string;
}

export function createMasks(secrets: readonly string[] = []): Masks {
  const hidden = new Set<string>();
  const add = (value: string): void => {
    for (const part of [value, ...value.split(/[\r\n]+/)]) {
      if (part.trim() === '') continue;
      for (const spelling of spellings(part)) hidden.add(spelling);
    }
  };
  for (const secret of secrets) add(secret);
  return { add, apply: (text) => hide(text, hidden) };
}

function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    // The runner skips bytes instead of filling up, so that the first characters of the other two offsets stay seen.
    ...[0, 1, 2].filter((offset) => offset < bytes.length).map((offset) => bytes.subarray(offset).toString('base64')),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ...(value.length > 2 && value.startsWith('"') && value.endsWith('"') ? [value.slice(1, -1)] : []),
  ];
}

/** Places that overlap or touch become one row of stars, so that no rest of a longer secret stays. */
function hide(text: string, hidden: ReadonlySet<string>): string {
  const covered: [number, number][] = [];
  for (const value of hidden) {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) covered.push([at, at + value.length]);
  }
  covered.sort(([left], [right]) => left - right);
  let shown = '';
  let end = -1;
  for (const [from, to] of covered) {
    if (from > end) shown += `${text.slice(Math.max(end, 0), from)}***`;
    end = Math.max(end, to);
  }
  return shown + text.slice(Math.max(end, 0));
}
