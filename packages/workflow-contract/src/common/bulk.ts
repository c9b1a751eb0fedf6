import { z } from 'zod';
import { ErrorCode } from './errors';

/** Bulk requests have these options besides their action and their filter. */
export const bulkOptions = {
  dryRun: z.boolean().default(false).describe('Report what would be done, and change nothing.'),
  limit: z
    .int()
    .min(1)
    .max(10_000)
    .default(1000)
    .describe('Stop after so many items: 1 to 10,000. Default 1,000; "end" says whether there are more.'),
};

/** The result of one item. */
export const bulkOutcome = {
  outcome: z
    .enum(['done', 'possible', 'refused'])
    .describe('"possible": a dry run found nothing against it. "refused": code, reason and message say why.'),
  code: ErrorCode.optional(),
  reason: z.string().optional().describe('The reason, as the operation on the single item has it.'),
  message: z.string().optional().describe('A readable sentence.'),
};

const number = z.int();

/** The last event of a bulk operation. */
export const BulkEnd = z.object({
  total: number.describe('Items that were looked at.'),
  done: number,
  possible: number,
  refused: number,
  hasMore: z.boolean().describe('Whether the limit was reached before the end of what the filter selects.'),
});
export type BulkEnd = z.output<typeof BulkEnd>;

export const bulkEvents =
  'The answer is a stream of events: one "item" for each item, with what became of it, as soon as that is known, and one "end" with their numbers. Several items are in progress at a time. The operation ends when the client disconnects: no further item is begun. A dry run checks rights and states; an item that changes meanwhile may be answered otherwise.';
