import { z } from 'zod';
import { createPageCursors, listHash } from '../../http/page-cursor';

/** Key and name of the last result, or the line of the last match. */
const Position = z.tuple([z.string().max(1024), z.string().max(1024)]).or(z.int().min(0));
export type SearchPosition = z.output<typeof Position>;

export const searchHash = listHash;
export const { write: writeSearchCursor, read: readSearchCursor } = createPageCursors(Position);
