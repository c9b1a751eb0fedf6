import { z } from 'zod';
import { workspaceQuery } from '../common/parameters';
import { queryInteger } from '../common/query-integer';

const unixSeconds = queryInteger(0, 253_402_300_799);
const statusNumber = queryInteger(0, 8);
const seconds = queryInteger(0, 2_147_483_647);

/** Statuses as numbers; one of them may be given alone. */
export const statusNumbers = z
  .preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(statusNumber).max(9).optional(),
  )
  .meta({
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: 8 },
    description: 'Only these statuses; may be repeated.',
  });

/** These fields select runs, of one DAG or of all. */
export const runFilter = {
  ...workspaceQuery,
  status: statusNumbers,
  fromDate: unixSeconds.optional().describe('Only runs from this time on, in Unix seconds.'),
  toDate: unixSeconds.optional().describe('Only runs before this time, in Unix seconds.'),
  dagRunId: z.string().max(64).optional().describe('Only runs whose id contains this string.'),
  minDurationSec: seconds
    .optional()
    .describe('Only runs that were started and take or took at least this many seconds.'),
  maxDurationSec: seconds
    .optional()
    .describe('Only runs that were started and take or took at most this many seconds.'),
};

/** These fields also select runs when all DAGs are listed. */
export const anyRunFilter = {
  ...runFilter,
  name: z.string().max(255).optional().describe('Only runs of DAGs whose name contains this string.'),
  labels: z
    .string()
    .max(4096)
    .optional()
    .describe('Comma-separated labels that a run must all have. Not allowed together with tags.'),
  tags: z
    .string()
    .max(4096)
    .optional()
    .meta({ description: 'Deprecated name of labels; not allowed together with labels.', deprecated: true }),
};

/** Whether labels are given under one name only. */
export const hasOneLabelFilter = (query: {
  readonly labels?: string | undefined;
  readonly tags?: string | undefined;
}): boolean => !query.labels || !query.tags;

export const oneLabelFilterRule = { message: '"labels" and "tags" exclude each other.', path: ['tags'] };
