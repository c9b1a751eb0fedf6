import { z } from 'zod';

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
