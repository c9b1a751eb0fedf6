import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { DagRunDetailsResponse, DagRunOutputs, Log, SubDagRunsResponse } from './schemas';
import {
  invalidRequest,
  logQuery,
  parserBusy,
  runNotFound,
  runParams,
  stepLogQuery,
  subStepLogParams,
  stepNotFound,
  tag,
  unauthenticated,
} from './shared';
import { DagRunId } from '../run-inputs/identity';

const subParams = { ...runParams, subDAGRunId: DagRunId };

export const getDagRunOutputs = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/outputs',
  operationId: 'getDAGRunOutputs',
  tag,
  summary: 'Get the outputs of a run',
  description: 'The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params: z.object(runParams),
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The outputs; none before a step has published any.', schema: DagRunOutputs },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound },
});

export const getSubDagRuns = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs',
  operationId: 'getSubDAGRuns',
  tag,
  summary: 'List the child runs of a run',
  access: 'authenticated',
  params: z.object(runParams),
  query: z.object({
    remoteNode,
    parentSubDAGRunId: DagRunId.optional().describe('Id of a child run whose artifacts are used instead.'),
  }),
  success: { status: 200, description: 'The child runs.', schema: SubDagRunsResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound },
});

export const getSubDagRunDetails = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}',
  operationId: 'getSubDAGRunDetails',
  tag,
  summary: 'Get a child run',
  access: 'authenticated',
  params: z.object(subParams),
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The child run.', schema: DagRunDetailsResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound, 503: parserBusy },
});

export const getSubDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log',
  operationId: 'getSubDAGRunLog',
  tag,
  summary: 'Get the log of a child run',
  access: 'authenticated',
  params: z.object(subParams),
  query: z.object(logQuery),
  success: { status: 200, description: 'A part of the log.', schema: Log },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound },
});

export const getSubDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log',
  operationId: 'getSubDAGRunStepLog',
  tag,
  summary: 'Get the log of a step of a child run',
  access: 'authenticated',
  params: subStepLogParams,
  query: z.object(stepLogQuery),
  success: { status: 200, description: 'A part of the log.', schema: Log },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: stepNotFound },
});
