import { z } from 'zod';
import { createPageCursors, listHash } from '../../../http/page-cursor';
import type { RunPosition } from '../store/dag-run-repository';

// Both databases can compare these times and strings.
const milliseconds = z.int().min(0).max(253_402_300_799_999);
const text = z
  .string()
  .max(255)
  .regex(/^[^\0]*$/);

const Position = z.strictObject({
  /** The earliest time of the list, computed for its first page so that midnight does not move it. */
  s: milliseconds.nullable(),
  t: milliseconds,
  n: text,
  i: text,
});
const cursors = createPageCursors(Position);

export interface RunCursor {
  readonly since: Date | undefined;
  readonly after: RunPosition;
}

export const filterHash = listHash;

export function writeCursor(hash: string, { since, after }: RunCursor): string {
  return cursors.write(hash, {
    s: since?.getTime() ?? null,
    t: after.createdAt.getTime(),
    n: after.dagName,
    i: after.id,
  });
}

/** Throws `cursor_invalid` for a string that is not a cursor, and for a cursor of other filters. */
export function readCursor(text: string, hash: string): RunCursor {
  const { s, t, n, i } = cursors.read(text, hash);
  return { since: s === null ? undefined : new Date(s), after: { createdAt: new Date(t), dagName: n, id: i } };
}
