import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { isWorkspaceQueryValid, remoteNode, workspaceQuery, workspaceQueryRule } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { parserBusy, tag, unauthenticated } from './shared';

const names = z.array(z.string()).optional();

const OpenDecision = z
  .object({
    kind: z.enum(['approval', 'human_task']).describe('What the step waits for.'),
    name: z.string().describe('DAG of the root run.'),
    dagRunId: z.string().describe('Id of the root run.'),
    subDAGRunId: z.string().optional().describe('Id of the child run with the step; absent for the root run itself.'),
    dagName: z.string().describe('DAG of the run with the step.'),
    workspace: z.string().optional().describe('Workspace of that run.'),
    step: z.string().describe('Name of the step.'),
    stepId: z.string().optional().describe('Id of the step, by which a human task is completed.'),
    since: z.string().optional().describe('When the step was started, RFC 3339.'),
    prompt: z.string().optional().describe('What the person is asked, as written.'),
    form: z.record(z.string(), z.unknown()).optional().describe('Form of a human task as a JSON Schema.'),
    input: names.describe('Values that an approval may give.'),
    required: names.describe('Those that it must give.'),
    rewindTo: z.string().optional().describe('The step from which execution restarts after a push-back.'),
    mayDecide: z.boolean().describe('Whether the caller has the role that may decide.'),
  })
  .meta({ id: 'OpenDecision', description: 'A step that waits for a person.' });
export type OpenDecision = z.output<typeof OpenDecision>;

const OpenDecisionsPageResponse = z
  .object({
    items: z.array(OpenDecision).describe('Those of the newest root run first.'),
    nextCursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  })
  .meta({ id: 'OpenDecisionsPageResponse', description: 'Steps that wait for people.' });
export type OpenDecisionsPageResponse = z.output<typeof OpenDecisionsPageResponse>;

export const listOpenDecisions = endpoint({
  method: 'GET',
  path: '/open-decisions',
  operationId: 'listOpenDecisions',
  tag,
  summary: 'List the approvals and human tasks that wait for a person',
  description:
    'Of visible runs and their child runs. A page covers a number of active root runs: it may be empty and still have a next one.',
  access: 'authenticated',
  query: z
    .object({
      remoteNode,
      ...workspaceQuery,
      limit: queryInteger(1, 200).default(50).describe('Root runs per page: 1 to 200. Default 50.'),
      cursor: z.string().max(1024).optional().describe('nextCursor of the previous page.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: { status: 200, description: 'A page of steps.', schema: OpenDecisionsPageResponse },
  errors: {
    400: {
      description: 'A parameter is not valid, the cursor belongs to another list, or the node is not this one.',
      reasons: ['request_invalid', 'cursor_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
    503: parserBusy,
  },
});
