import { z } from 'zod';
import { queryInteger } from '../common/query-integer';

export const DagRevision = z
  .object({
    revision: z.int().describe('Number of the revision. It rises with time; numbers may be missing.'),
    change: z.enum(['created', 'changed', 'renamed', 'restored', 'deleted']).describe('What was done.'),
    author: z
      .string()
      .optional()
      .describe('Name of the user or API key. Absent for a file that was changed outside of the server.'),
    createdAt: z.iso.datetime({ offset: true }).describe('When it was stored.'),
    hash: z.string().optional().describe('SHA-256 of the text in hexadecimal. Absent where the file was deleted.'),
  })
  .meta({ id: 'DAGRevision', description: 'A text that the file of a DAG had.' });
export type DagRevision = z.output<typeof DagRevision>;

export const revisionNumber = z.string().min(1).max(64).describe('Number of the revision.');

export const revisionPaging = {
  limit: queryInteger(1, 200).default(50).describe('Maximum number: 1 to 200. Default 50.'),
  cursor: z.string().max(4096).optional().describe('Cursor of the previous page of the same list.'),
};

export const revisionDiffFrom = queryInteger(1, 2_147_483_647)
  .optional()
  .describe('Number of the revision to compare with. Default: the one before; the oldest has all its lines added.');

export const DagRevisionsResponse = z
  .object({
    revisions: z.array(DagRevision).describe('Newest first.'),
    nextCursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  })
  .meta({ id: 'DAGRevisionsResponse', description: 'A page of revisions.' });

export const DagRevisionResponse = DagRevision.extend({
  spec: z.string().describe('The YAML text; empty where the file was deleted.'),
}).meta({ id: 'DAGRevisionResponse', description: 'A revision with its text.' });

export const DagRevisionDiffResponse = z
  .object({
    from: DagRevision.optional(),
    to: DagRevision,
    diff: z.string().describe('In the unified format with three lines of context; empty for equal texts.'),
    minimal: z
      .boolean()
      .describe('False when the texts differ so much that the diff replaces the one by the other as a whole.'),
  })
  .meta({ id: 'DAGRevisionDiffResponse', description: 'The difference of two revisions.' });
