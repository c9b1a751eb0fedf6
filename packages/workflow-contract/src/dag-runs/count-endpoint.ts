import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { isWorkspaceQueryValid, remoteNode, workspaceQueryRule } from '../common/parameters';
import { anyRunFilter, hasOneLabelFilter, oneLabelFilterRule } from './run-filter';
import { Status, StatusLabel } from './schemas';
import { tag, unauthenticated } from './shared';

const counts = z.array(
  z
    .object({ status: Status, statusLabel: StatusLabel, count: z.int().describe('Number of runs.') })
    .meta({ id: 'DAGRunStatusCount', description: 'How many runs have a status.' }),
);

const DagRunCountsResponse = z
  .object({
    total: z.int().describe('Number of runs.'),
    statuses: counts.describe('By status; those without a run are left out.'),
    hours: z
      .array(
        z
          .object({
            start: z.iso.datetime().describe('When the hour begins, in UTC.'),
            statuses: counts.describe('Its runs by status.'),
          })
          .meta({ id: 'DAGRunHourCounts', description: 'How many runs were created in an hour.' }),
      )
      .optional()
      .describe('The hours with runs, the earliest first; only with by=hour.'),
    isComplete: z.boolean().describe('False if there are more than were counted.'),
  })
  .meta({ id: 'DAGRunCountsResponse', description: 'Numbers of runs.' });
export type DagRunCountsResponse = z.output<typeof DagRunCountsResponse>;

export const countDagRuns = endpoint({
  method: 'GET',
  path: '/run-counts',
  operationId: 'countDAGRuns',
  tag,
  summary: 'Count runs by status and by hour',
  description:
    'With the filters of listDAGRuns: without fromDate and toDate, runs since midnight in the time zone of the server. Up to 100,000 runs of each status are counted, the newest ones; with a filter by run id, labels or duration, up to 10,000 runs are read.',
  access: 'authenticated',
  query: z
    .object({
      remoteNode,
      ...anyRunFilter,
      by: z
        .enum(['status', 'hour'])
        .default('status')
        .describe('"hour" adds the counts of each hour, in a range of at most 1,000 hours.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule)
    .refine(hasOneLabelFilter, oneLabelFilterRule),
  success: { status: 200, description: 'The counts.', schema: DagRunCountsResponse },
  errors: {
    400: {
      description: 'A parameter is not valid, the range is too long for hours, or the node is not this one.',
      reasons: ['request_invalid', 'range_too_long', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
  },
});
