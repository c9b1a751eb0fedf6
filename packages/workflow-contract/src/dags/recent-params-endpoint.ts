import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { Status, StatusLabel } from '../dag-runs/schemas';
import { DagName, DagRunId } from '../run-inputs/identity';

const { unauthenticated, parserBusy } = errorAnswers;

export const getDagRecentParams = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/recent-params',
  operationId: 'getDAGRecentParams',
  tag: 'dags',
  summary: 'List the parameters that a DAG was last started with',
  description: 'Different ones among the last 100 visible runs, the newest first.',
  access: 'authenticated',
  params: z.object({ fileName: DagName }),
  query: z.object({ remoteNode }),
  success: {
    status: 200,
    description: 'The parameters.',
    schema: z
      .object({
        recent: z
          .array(
            z
              .object({
                params: z.string().describe('As they were passed.'),
                dagRunId: DagRunId.describe('The newest run with them.'),
                createdAt: z.iso.datetime({ offset: true }).describe('When that run was stored.'),
                status: Status,
                statusLabel: StatusLabel,
              })
              .meta({ id: 'RecentParams', description: 'Parameters of an earlier run.' }),
          )
          .describe('At most ten.'),
      })
      .meta({ id: 'RecentParamsResponse', description: 'Parameters of earlier runs.' }),
  },
  errors: {
    400: {
      description: 'A parameter is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The DAG is unknown or not visible.', reasons: ['dag_not_found'] },
    503: parserBusy,
  },
});
