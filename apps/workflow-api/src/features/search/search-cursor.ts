import { createHash } from 'node:crypto';
import { AppError } from '@weir/errors';
import { z } from 'zod';

const Payload = z.strictObject({
  v: z.literal(1),
  /** Hash of the search. */
  f: z.string().length(22),
  /** Key and name of the last result, or the line of the last match. */
  p: z.tuple([z.string().max(255), z.string().max(255)]).or(z.int().min(0)),
});
export type SearchPosition = z.output<typeof Payload>['p'];

export function searchHash(search: unknown): string {
  return createHash('sha256').update(JSON.stringify(search)).digest('base64url').slice(0, 22);
}

export function writeSearchCursor(hash: string, position: SearchPosition): string {
  const payload: z.input<typeof Payload> = { v: 1, f: hash, p: position };
  return Buffer.from(JSON.stringify(payload)).toString('base64url');
}

/** Throws `cursor_invalid` for a text that is not a cursor, and for a cursor of another search. */
export function readSearchCursor(text: string, hash: string): SearchPosition {
  const parsed = Payload.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (parsed.success && parsed.data.f === hash) return parsed.data.p;
  throw new AppError('invalid_request', 'The cursor is not valid, or belongs to another search.', {
    reason: 'cursor_invalid',
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses `undefined`.
    return undefined;
  }
}
