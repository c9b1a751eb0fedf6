import type { PatternIndex } from './pattern-index';

/** Masks secrets in a stream of chunks. */
export interface MaskingStream {
  /** Returns the bytes that can be output now; a possible start of a secret is held back. */
  push(part: Uint8Array): Uint8Array;
  /** Returns the held back bytes and resets the stream. */
  end(): Uint8Array;
}

const mask = Buffer.from('*****');
const nothing = Buffer.alloc(0);

/**
 * Masks every byte that belongs to a pattern, even where patterns overlap; adjacent matches get one mask. The result does
 * not depend on how the bytes are split into chunks.
 */
export function createMaskingStream(index: PatternIndex): MaskingStream {
  let held: Buffer = nothing;
  // End of the last masked range, relative to the held bytes; -1 when it ended before them.
  let hiddenTo = -1;
  const consume = (bytes: Buffer, end: number): Uint8Array => {
    const shown: Buffer[] = [];
    let to = hiddenTo;
    for (let at = index.next(bytes, 0, end); at < end; at = index.next(bytes, at + 1, end)) {
      const length = index.matchLengthAt(bytes, at);
      if (length === 0) continue;
      if (at > to) shown.push(bytes.subarray(Math.max(to, 0), at), mask);
      to = Math.max(to, at + length);
    }
    if (to < end) shown.push(bytes.subarray(Math.max(to, 0), end));
    // A copy, so that a few bytes do not retain a large buffer.
    held = end === bytes.length ? nothing : Buffer.from(bytes.subarray(end));
    hiddenTo = to < end ? -1 : to - end;
    return shown.length === 1 ? (shown[0] ?? nothing) : Buffer.concat(shown);
  };
  const joined = (part: Uint8Array): Buffer =>
    held.length === 0 ? Buffer.from(part.buffer, part.byteOffset, part.length) : Buffer.concat([held, part]);
  return {
    push: (part) => {
      const bytes = joined(part);
      return consume(bytes, index.unfinishedFrom(bytes));
    },
    end: () => {
      const rest = consume(held, held.length);
      hiddenTo = -1;
      return rest;
    },
  };
}
