/** Lines from the first to the last, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

const largest = 2_147_483_647;

/** Reads `L120`, `L120-L140`, and typed text such as `120-140`. Returns `undefined` for anything else. */
export function parseLineRange(text: string): LineRange | undefined {
  const [, one, other] = /^#?L?(\d{1,10})(?:-L?(\d{1,10}))?$/i.exec(text.trim()) ?? [];
  if (one === undefined) return undefined;
  const [first, last] = [Number(one), Number(other ?? one)].sort((lower, higher) => lower - higher);
  if (first === undefined || last === undefined || first < 1 || last > largest) return undefined;
  return { first, last };
}

/** Formats a range for an address: `L120`, `L120-L140`. */
export function formatLineRange({ first, last }: LineRange): string {
  return first === last ? `L${first}` : `L${first}-L${last}`;
}

/** Returns the range from the start of a selection to another line. */
export function extendRange(from: number, to: number): LineRange {
  return { first: Math.min(from, to), last: Math.max(from, to) };
}
