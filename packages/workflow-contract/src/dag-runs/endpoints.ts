import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { isWorkspaceQueryValid, remoteNode, workspaceQueryRule } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { anyRunFilter, hasOneLabelFilter, oneLabelFilterRule, runFilter } from './run-filter';
import { DagRunDetailsResponse, DagRunsPageResponse, Log } from './schemas';
import {
  invalidRequest,
  logQuery,
  mayNotControl,
  parserBusy,
  runNotFound,
  runParams,
  stepLogQuery,
  stepNotFound,
  stepLogParams,
  tag,
  unauthenticated,
} from './shared';

const listQuery = {
  remoteNode,
  limit: queryInteger(-2_147_483_648, 2_147_483_647).optional().describe('Runs per page: 1 to 500. Default 100.'),
  cursor: z.string().max(1024).optional().describe('nextCursor of the previous page, with the same filters.'),
};

const listAnswers = {
  success: { status: 200, description: 'A page of runs.', schema: DagRunsPageResponse },
  errors: {
    400: {
      description: 'A parameter is not valid, or the cursor belongs to other filters.',
      reasons: ['request_invalid', 'cursor_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
  },
} as const;

export const listDagRuns = endpoint({
  method: 'GET',
  path: '/dag-runs',
  operationId: 'listDAGRuns',
  tag,
  summary: 'List runs, newest first',
  description: 'Without fromDate and toDate, only runs since midnight in the time zone of the server are listed.',
  access: 'authenticated',
  query: z
    .object({ ...anyRunFilter, ...listQuery })
    .refine(isWorkspaceQueryValid, workspaceQueryRule)
    .refine(hasOneLabelFilter, oneLabelFilterRule),
  ...listAnswers,
});

export const listDagRunsByName = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}',
  operationId: 'listDAGRunsByName',
  tag,
  summary: 'List the runs of a DAG, newest first',
  description: 'Without fromDate and toDate, only runs since midnight in the time zone of the server are listed.',
  access: 'authenticated',
  params: z.object({ name: runParams.name }),
  query: z.object({ ...runFilter, ...listQuery }).refine(isWorkspaceQueryValid, workspaceQueryRule),
  ...listAnswers,
});

export const getDagRunDetails = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}',
  operationId: 'getDAGRunDetails',
  tag,
  summary: 'Get a run',
  description: 'The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params: z.object(runParams),
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The run.', schema: DagRunDetailsResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound, 503: parserBusy },
});

export const terminateDagRun = endpoint({
  method: 'POST',
  path: '/dag-runs/{name}/{dagRunId}/stop',
  operationId: 'terminateDAGRun',
  audit: { category: 'dag_run', action: 'dag_run_stop' },
  tag,
  summary: 'Stop a run',
  description:
    'A queued or waiting run is aborted at once. For a running one, the request to stop is stored before the response is sent, so it survives the process that executes the run. The operation is idempotent.',
  access: 'authenticated',
  params: z.object(runParams),
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The run was aborted, or its stop was requested.' },
  errors: {
    400: {
      description: 'The run has ended, a parameter is not valid, or the node is not this one.',
      reasons: ['not_running', 'request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: mayNotControl,
    404: runNotFound,
  },
});

export const dequeueDagRun = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/dequeue',
  operationId: 'dequeueDAGRun',
  audit: { category: 'dag_run', action: 'dag_run_dequeue' },
  tag,
  summary: 'Dequeue a run',
  description: 'The run is aborted. This operation has side effects although its method is GET: do not prefetch it.',
  access: 'authenticated',
  params: z.object(runParams),
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The run was dequeued.' },
  errors: {
    400: {
      description: 'The run is not queued, a parameter is not valid, or the node is not this one.',
      reasons: ['not_queued', 'request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: mayNotControl,
    404: runNotFound,
  },
});

export const getDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/log',
  operationId: 'getDAGRunLog',
  tag,
  summary: 'Get the log of a run',
  access: 'authenticated',
  params: z.object(runParams),
  query: z.object(logQuery),
  success: { status: 200, description: 'A part of the log.', schema: Log },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: runNotFound,
  },
});

export const getDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log',
  operationId: 'getDAGRunStepLog',
  tag,
  summary: 'Get the log of a step',
  access: 'authenticated',
  params: stepLogParams,
  query: z.object(stepLogQuery),
  success: { status: 200, description: 'A part of the log.', schema: Log },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: stepNotFound,
  },
});
