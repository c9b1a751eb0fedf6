import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { bulkEvents, bulkOptions, bulkOutcome } from '../common/bulk';
import { isWorkspaceQueryValid, remoteNode, workspaceQueryRule } from '../common/parameters';
import { anyRunFilter, hasOneLabelFilter, oneLabelFilterRule } from './run-filter';
import { tag, unauthenticated } from './shared';

/** Data of the event "item". */
export const BulkRunItem = z.object({ name: z.string(), dagRunId: z.string(), ...bulkOutcome });
export type BulkRunItem = z.output<typeof BulkRunItem>;

export const changeDagRuns = endpoint({
  method: 'POST',
  path: '/bulk/dag-runs',
  operationId: 'changeDAGRuns',
  audit: { category: 'dag_run', action: 'dag_run_bulk' },
  tag,
  summary: 'Retry, stop, dequeue or delete all runs that a filter selects',
  description: `The filter is that of listDAGRuns; without fromDate and toDate it selects runs since midnight in the time zone of the server. Runs that are created meanwhile are not included. Each run needs the role that the operation on it alone needs. ${bulkEvents}`,
  access: 'authenticated',
  query: z.object({ remoteNode }),
  body: z
    .strictObject({
      action: z.enum(['retry', 'stop', 'dequeue', 'delete']).describe('What is done to each run.'),
      filter: z
        .strictObject(anyRunFilter)
        .refine(isWorkspaceQueryValid, workspaceQueryRule)
        .refine(hasOneLabelFilter, oneLabelFilterRule)
        .meta({ id: 'DAGRunFilter', description: 'Which runs; an unknown field is refused.' }),
      only: z
        .array(
          z
            .strictObject({
              name: z.string().max(255).describe('Name of the DAG.'),
              dagRunId: z.string().max(64).describe('Id of the run.'),
            })
            .meta({ id: 'DAGRunName', description: 'Names a run.' }),
        )
        .min(1)
        .max(1000)
        .optional()
        .describe('Of the runs that the filter selects, only these.'),
      ...bulkOptions,
    })
    .meta({ id: 'ChangeDAGRunsRequest', description: 'A change of many runs.' }),
  success: { status: 200, description: 'The events.', content: { kind: 'events' } },
  errors: {
    400: {
      description: 'The request is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
  },
});
