import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { checkRunRequest, runRefusals, runRequest } from '../run-inputs/run-request';
import { DagName, DagRunId } from '../run-inputs/identity';

const tag = 'dags';
const { unauthenticated, parserBusy } = errorAnswers;
const params = z.object({ fileName: DagName });
const query = z.object({ remoteNode });
const { 404: notFound } = runRefusals;

export const enqueueDag = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/enqueue',
  operationId: 'enqueueDAGDAGRun',
  audit: { category: 'dag_run', action: 'dag_run_enqueue' },
  tag,
  summary: 'Enqueue a run',
  description: 'Responds once the run is stored as queued. The body may be an empty object.',
  access: 'authenticated',
  params,
  query,
  body: z
    .object({
      ...runRequest,
      queue: z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be 1 to 64 letters, digits, "_", "." or "-"')
        .optional()
        .describe('Name of a queue, instead of that of the DAG.'),
    })
    .superRefine(checkRunRequest)
    .meta({ id: 'EnqueueDAGRequest', description: 'How to run the DAG, and in which queue it waits.' }),
  success: {
    status: 200,
    description: 'The run is queued.',
    schema: z
      .object({ dagRunId: DagRunId })
      .meta({ id: 'EnqueueDAGResponse', description: 'The run that was queued.' }),
  },
  errors: runRefusals,
});

export const stopAllDagRuns = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/stop-all',
  operationId: 'stopAllDAGRuns',
  audit: { category: 'dag_run', action: 'dag_run_stop_all' },
  tag,
  summary: 'Stop the running runs of a DAG',
  description: 'Responds once the requests are stored. Queued and waiting runs are not affected.',
  access: 'authenticated',
  params,
  query,
  success: {
    status: 200,
    description: 'The stops were requested.',
    schema: z
      .object({ errors: z.array(z.string()).describe('Reasons why stops could not be requested; empty if all were.') })
      .meta({ id: 'StopAllDAGRunsResponse', description: 'Errors while requesting the stops.' }),
  },
  errors: {
    400: {
      description: 'The request is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: { description: 'The role does not permit stopping runs in this workspace.', reasons: ['role_missing'] },
    404: notFound,
    503: parserBusy,
  },
});
