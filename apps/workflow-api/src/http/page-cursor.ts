import { createHash } from 'node:crypto';
import { AppError } from '@weir/foundation';
import { z } from 'zod';

const version = 1;
const hashLength = 22;

/** Hashes the filters of a list; a cursor belongs to the list with its hash. */
export function listHash(filters: unknown): string {
  return createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, hashLength);
}

export interface PageCursors<Position> {
  readonly write: (hash: string, position: Position) => string;
  /** Throws `cursor_invalid` for a string that is not a cursor, and for a cursor of another list. */
  readonly read: (text: string, hash: string) => Position;
}

/** Creates cursors that contain a position as JSON, and the hash of the filters of their list. */
export function createPageCursors<Position>(position: z.ZodType<Position>): PageCursors<Position> {
  const Payload = z.strictObject({ v: z.literal(version), f: z.string().length(hashLength), p: position });
  return {
    write: (hash, value) => Buffer.from(JSON.stringify({ v: version, f: hash, p: value })).toString('base64url'),
    read: (text, hash) => {
      const parsed = Payload.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
      if (parsed.success && parsed.data.f === hash) return parsed.data.p;
      throw new AppError('invalid_request', 'The cursor is not valid, or belongs to a list with other filters.', {
        reason: 'cursor_invalid',
      });
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses `undefined`.
    return undefined;
  }
}
