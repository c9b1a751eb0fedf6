import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { bulkEvents, bulkOptions } from '../common/bulk';
import { errorAnswers } from '../common/errors';
import { isWorkspaceQueryValid, remoteNode, workspaceQueryRule } from '../common/parameters';
import { hasOneLabelFilter, oneLabelFilterRule } from '../dag-runs/run-filter';
import { dagFilter } from './dag-filter';

const labels = z.array(z.string().min(1).max(319)).min(1).max(100).optional();

export const changeDags = endpoint({
  method: 'POST',
  path: '/bulk/dags',
  operationId: 'changeDAGs',
  audit: { category: 'dag', action: 'dag_bulk' },
  tag: 'dags',
  summary: 'Start, suspend, resume, label or delete all DAGs that a filter selects',
  description: `The filter is that of listDAGs. "start" queues a run of each DAG. "label" writes labels into the files and leaves everything else in them as it is. Each DAG needs the role that the operation on it alone needs. ${bulkEvents}`,
  access: 'authenticated',
  query: z.object({ remoteNode }),
  body: z
    .strictObject({
      action: z.enum(['start', 'suspend', 'resume', 'label', 'delete']).describe('What is done to each DAG.'),
      filter: z
        .strictObject(dagFilter)
        .refine(isWorkspaceQueryValid, workspaceQueryRule)
        .refine(hasOneLabelFilter, oneLabelFilterRule)
        .meta({ id: 'DAGFilter', description: 'Which DAGs; an unknown field is refused.' }),
      only: z
        .array(z.string().max(255))
        .min(1)
        .max(1000)
        .optional()
        .describe('File names: of the DAGs that the filter selects, only these.'),
      params: z.string().max(65_536).optional().describe('Parameters of the runs; only with "start".'),
      addLabels: labels.describe('Labels to add; only with "label".'),
      removeLabels: labels.describe('Labels to remove; only with "label".'),
      ...bulkOptions,
    })
    .refine(
      ({ action, addLabels, removeLabels }) =>
        (action === 'label') === (addLabels !== undefined || removeLabels !== undefined),
      {
        message: '"addLabels" and "removeLabels" go with the action "label", which needs one of them.',
        path: ['action'],
      },
    )
    .refine(({ action, params }) => params === undefined || action === 'start', {
      message: '"params" goes with the action "start".',
      path: ['params'],
    })
    .meta({ id: 'ChangeDAGsRequest', description: 'A change of many DAGs.' }),
  success: { status: 200, description: 'The events.', content: { kind: 'events' } },
  errors: {
    400: {
      description: 'The request is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: errorAnswers.unauthenticated,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
    503: { description: 'The folder is still being read for the first time.', reasons: ['dags_loading'] },
  },
});
