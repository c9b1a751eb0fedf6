import { createHash } from 'node:crypto';
import { z } from 'zod';
import { cursorInvalid } from '../dag-run-errors';
import type { RunPosition } from '../storage/dag-run-repository';

const version = 1;
const hashLength = 22;

// The times and strings that both databases can compare.
const milliseconds = z.int().min(0).max(253_402_300_799_999);
const text = z
  .string()
  .max(255)
  .regex(/^[^\0]*$/);

const Payload = z.strictObject({
  v: z.literal(version),
  /** Hash of the filters. */
  f: z.string().length(hashLength),
  /** The earliest time of the list, computed for its first page so that midnight does not move it. */
  s: milliseconds.nullable(),
  t: milliseconds,
  n: text,
  i: text,
});

export interface RunCursor {
  readonly since: Date | undefined;
  readonly after: RunPosition;
}

export function filterHash(filters: unknown): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, hashLength);
}

export function writeCursor(hash: string, { since, after }: RunCursor): string {
  const payload: z.input<typeof Payload> = {
    v: version,
    f: hash,
    s: since?.getTime() ?? null,
    t: after.createdAt.getTime(),
    n: after.dagName,
    i: after.id,
  };
  return Buffer.from(JSON.stringify(payload)).toString('base64url');
}

/** Throws `cursor_invalid` for a string that is not a cursor, and for a cursor of other filters. */
export function readCursor(text: string, hash: string): RunCursor {
  const parsed = Payload.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success || parsed.data.f !== hash) throw cursorInvalid();
  const { s, t, n, i } = parsed.data;
  return { since: s === null ? undefined : new Date(s), after: { createdAt: new Date(t), dagName: n, id: i } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses `undefined`.
    return undefined;
  }
}
