import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { isWorkspaceQueryValid, remoteNode, workspaceQuery, workspaceQueryRule } from '../common/parameters';

const tag = 'dags';
const query = z.object({ remoteNode, ...workspaceQuery }).refine(isWorkspaceQueryValid, workspaceQueryRule);
const description =
  'Without a filter by workspace, the key of each "key=value" is listed too. Sorted, each once, in lower case.';
const errors = z.array(z.string()).describe('Errors while reading the folder.');
const refusals = {
  400: {
    description: 'A parameter is not valid, or the node is not this one.',
    reasons: ['request_invalid', 'remote_node_unknown'],
  },
  401: errorAnswers.unauthenticated,
  404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
  503: { description: 'The folder is still being read for the first time.', reasons: ['dags_loading'] },
} as const;

export const getAllDagLabels = endpoint({
  method: 'GET',
  path: '/dags/labels',
  operationId: 'getAllDAGLabels',
  tag,
  summary: 'List the labels of all DAGs',
  description,
  access: 'authenticated',
  query,
  success: {
    status: 200,
    description: 'The labels.',
    schema: z
      .object({
        labels: z.array(z.string()).describe('The labels.'),
        counts: z
          .array(
            z
              .object({ label: z.string().describe('The label.'), count: z.int().describe('Number of DAGs.') })
              .meta({ id: 'LabelCount', description: 'How many DAGs have a label.' }),
          )
          .describe('The same labels with the number of DAGs that have each.'),
        groups: z
          .array(
            z
              .object({
                group: z.string().describe('The group; empty for DAGs without one.'),
                count: z.int().describe('Number of DAGs.'),
              })
              .meta({ id: 'GroupCount', description: 'How many DAGs a group has.' }),
          )
          .describe('The groups of the same DAGs, sorted, with the number of DAGs in each.'),
        errors,
      })
      .meta({ id: 'ListLabelResponse', description: 'The labels in use.' }),
  },
  errors: refusals,
});

export const getAllDagTags = endpoint({
  method: 'GET',
  path: '/dags/tags',
  operationId: 'getAllDAGTags',
  tag,
  summary: 'List the labels of all DAGs under their old name',
  description,
  deprecated: true,
  access: 'authenticated',
  query,
  success: {
    status: 200,
    description: 'The labels.',
    schema: z
      .object({ tags: z.array(z.string()).describe('The labels.'), errors })
      .meta({ id: 'ListTagResponse', description: 'The labels in use, under their old name.' }),
  },
  errors: refusals,
});
