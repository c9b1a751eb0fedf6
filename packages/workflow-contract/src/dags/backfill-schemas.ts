import { z } from 'zod';
import { Status, StatusLabel } from '../dag-runs/schemas';
import { occurrence } from './occurrence-fields';
import { DagRunId } from '../run-inputs/identity';

const { action: _action, ...moment } = occurrence;

export const backfillRange = {
  from: z.iso.datetime({ offset: true }).describe('The first moment of the range, which is part of it.'),
  to: z.iso
    .datetime({ offset: true })
    .describe('The last moment of the range, which is part of it; at least five minutes ago.'),
};

export const BackfillPreviewResponse = z
  .object({
    occurrences: z
      .array(
        z
          .object({
            ...moment,
            dagRunId: DagRunId.optional().describe('The run that it has already.'),
            status: Status.optional(),
            statusLabel: StatusLabel.optional(),
          })
          .meta({ id: 'BackfillOccurrence', description: 'An occurrence in the range, with its run.' }),
      )
      .describe('Earliest first, 1,000 at most.'),
    total: z.int().describe('Number of occurrences in the range; more than 1,000 are counted as 1,001.'),
    existing: z.int().describe('How many of those that are listed have a run.'),
    maxOccurrences: z.int().describe('How many a backfill can have.'),
    isAllowed: z.boolean().describe('Whether a backfill of the range can be started.'),
  })
  .meta({ id: 'BackfillPreviewResponse', description: 'What a backfill would run.' });
export type BackfillPreviewResponse = z.output<typeof BackfillPreviewResponse>;

export const Backfill = z
  .object({
    id: z.string().describe('Id of the backfill.'),
    status: z.enum(['active', 'finished', 'cancelled', 'failed']).describe('"finished": a run of each was started.'),
    error: z.string().optional().describe('Why it failed.'),
    author: z.string().describe('Name of the user or API key that started it.'),
    createdAt: z.iso.datetime({ offset: true }).describe('When it was started.'),
    endedAt: z.iso.datetime({ offset: true }).optional().describe('When no more runs of it are started.'),
    ...backfillRange,
    maxActive: z.int().describe('Most runs of it that are queued or executed at a time.'),
    params: z.string().optional().describe('Parameters of its runs.'),
    total: z.int().describe('Number of occurrences.'),
    started: z.int().describe('Runs that were started so far.'),
    existing: z.int().describe('Occurrences so far that had a run.'),
    remaining: z.int().describe('Occurrences that are to be started.'),
    nextOccurrence: z.iso.datetime({ offset: true }).optional().describe('The next one.'),
  })
  .meta({ id: 'Backfill', description: 'Runs for occurrences of the past.' });
export type Backfill = z.output<typeof Backfill>;

export const BackfillDetails = Backfill.extend({
  runs: z
    .array(
      z
        .object({ statusLabel: StatusLabel, count: z.int().describe('Number of runs.') })
        .meta({ id: 'BackfillRunCount', description: 'Runs of one status.' }),
    )
    .describe('The runs of the occurrences that are settled, by status. Deleted ones are missing.'),
}).meta({ id: 'BackfillDetailsResponse', description: 'A backfill and how its runs are.' });
