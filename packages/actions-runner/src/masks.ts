/** The masks of a job. */
export interface Masks {
  /** Adds the value and each of its lines, in the encodings that the runner masks. */
  readonly add: (value: string) => void;
  readonly apply: (text: string) => string;
}

export function createMasks(secrets: readonly string[] = []): Masks {
  const masked = new Set<string>();
  const add = (value: string): void => {
    for (const part of [value, ...value.split(/[\r\n]+/)]) {
      if (part.trim() === '') continue;
      for (const spelling of spellings(part)) masked.add(spelling);
    }
  };
  for (const secret of secrets) add(secret);
  return { add, apply: (text) => mask(text, masked) };
}

function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    // The runner drops bytes instead of padding, so the first characters at the other two offsets are not masked.
    ...[0, 1, 2].filter((offset) => offset < bytes.length).map((offset) => bytes.subarray(offset).toString('base64')),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ...(value.length > 2 && value.startsWith('"') && value.endsWith('"') ? [value.slice(1, -1)] : []),
  ];
}

/** Overlapping and adjacent matches become one `***`, so that no part of a longer secret remains. */
function mask(text: string, masked: ReadonlySet<string>): string {
  const covered: [number, number][] = [];
  for (const value of masked) {
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
