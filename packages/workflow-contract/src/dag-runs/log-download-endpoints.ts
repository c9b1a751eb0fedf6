import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import {
  invalidRequest,
  logStream,
  runNotFound,
  runParams,
  stepNotFound,
  stepParams,
  subRunParams,
  subStepParams,
  tag,
  unauthenticated,
} from './shared';

const query = z.object({ remoteNode });
const stepQuery = z.object({ remoteNode, stream: logStream });

const description =
  'Byte ranges are supported. A log that was not written yet is an empty file. The id "latest" selects the newest run of the DAG.';

const success = {
  status: 200,
  description: 'The log as an attachment, as long as it was at the time of the request.',
  content: { kind: 'file', type: 'text/plain; charset=utf-8' },
} as const;

const runErrors = { 400: invalidRequest, 401: unauthenticated, 404: runNotFound } as const;
const stepErrors = { ...runErrors, 404: stepNotFound } as const;

export const downloadDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/log/download',
  operationId: 'downloadDAGRunLog',
  tag,
  summary: 'Download the log of a run',
  description,
  access: 'authenticated',
  params: z.object(runParams),
  query,
  success,
  errors: runErrors,
});

export const downloadDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/download',
  operationId: 'downloadDAGRunStepLog',
  tag,
  summary: 'Download the log of a step',
  description,
  access: 'authenticated',
  params: stepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});

export const downloadSubDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/download',
  operationId: 'downloadSubDAGRunLog',
  tag,
  summary: 'Download the log of a child run',
  description,
  access: 'authenticated',
  params: subRunParams,
  query,
  success,
  errors: runErrors,
});

export const downloadSubDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/download',
  operationId: 'downloadSubDAGRunStepLog',
  tag,
  summary: 'Download the log of a step of a child run',
  description,
  access: 'authenticated',
  params: subStepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});
