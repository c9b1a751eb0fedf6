import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { DagRunDetails, NodeStatus } from '../dag-runs/schemas';
import { checkRunRequest, runRefusals, runRequest } from '../run-inputs/run-request';
import { DagName, DagRunId } from '../run-inputs/identity';

const tag = 'dags';
const { unauthenticated, parserBusy } = errorAnswers;
const query = z.object({ remoteNode });
const invalidRequest = {
  description: 'The request is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;

const DagGridItem = z
  .object({
    name: z.string().describe('Name of the step, or of the handler, such as "onExit".'),
    history: z.array(NodeStatus).describe('Its status in each of the runs; 0 where it is missing.'),
  })
  .meta({ id: 'DAGGridItem', description: 'A step across the runs of its DAG.' });
export type DagGridItem = z.output<typeof DagGridItem>;

const historyQuery = query.extend({
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Maximum number of runs: 1 to 100. Default 30.'),
  nodes: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether the runs list their steps, whose statuses are in "gridData" in any case. Default true.'),
});

export const getDagRunHistory = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/dag-runs',
  operationId: 'getDAGDAGRunHistory',
  tag,
  summary: 'Get the last runs of a DAG',
  access: 'authenticated',
  params: z.object({ fileName: DagName }),
  query: historyQuery,
  success: {
    status: 200,
    description: 'The runs.',
    schema: z
      .object({
        dagRuns: z.array(DagRunDetails).describe('Newest first.'),
        gridData: z
          .array(DagGridItem)
          .describe('The steps in the order of their dependencies, those of earlier specs, then the handlers.'),
      })
      .meta({ id: 'GetDAGRunHistoryResponse', description: 'The last runs of a DAG.' }),
  },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runRefusals[404], 503: parserBusy },
});

export const getDagRunOfDag = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/dag-runs/{dagRunId}',
  operationId: 'getDAGDAGRunDetails',
  tag,
  summary: 'Get a run of a DAG',
  description: 'The id "latest" selects the newest run.',
  access: 'authenticated',
  params: z.object({ fileName: DagName, dagRunId: DagRunId }),
  query,
  success: {
    status: 200,
    description: 'The run.',
    schema: z.object({ dagRun: DagRunDetails }).meta({ id: 'GetDAGRunOfDAGResponse', description: 'A run of a DAG.' }),
  },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: {
      description: 'There is no such DAG or run, or it is not visible.',
      reasons: ['dag_not_found', 'dag_run_not_found'],
    },
    503: parserBusy,
  },
});

export const executeDagSync = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/start-sync',
  operationId: 'executeDAGSync',
  audit: { category: 'dag_run', action: 'dag_run_execute' },
  tag,
  summary: 'Start a run and wait for its end',
  description: 'Responds once the run has ended or waits for a person. The run continues after a timeout.',
  access: 'authenticated',
  params: z.object({ fileName: DagName }),
  query,
  body: z
    .object({ ...runRequest, timeout: z.int().min(1).max(86_400).describe('How long to wait, in seconds.') })
    .superRefine(checkRunRequest)
    .meta({ id: 'ExecuteDAGSyncRequest', description: 'How to run the DAG, and how long to wait for it.' }),
  success: {
    status: 200,
    description: 'The run has ended or waits.',
    schema: z
      .object({ dagRun: DagRunDetails })
      .meta({ id: 'ExecuteDAGSyncResponse', description: 'The run that has ended or waits.' }),
  },
  errors: {
    ...runRefusals,
    408: {
      description: 'The run has not ended in time; it continues. Its id is in the field dagRunId.',
      reasons: ['dag_run_not_ended'],
    },
  },
});
