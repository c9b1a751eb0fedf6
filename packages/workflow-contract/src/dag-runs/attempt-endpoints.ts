import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { RunAttemptsResponse } from './attempt-schemas';
import { invalidRequest, runNotFound, runParams, subRunParams, tag, unauthenticated } from './shared';

const attempts = {
  method: 'GET',
  tag,
  access: 'authenticated',
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The executions.', schema: RunAttemptsResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound },
} as const;

export const listDagRunAttempts = endpoint({
  ...attempts,
  path: '/dag-runs/{name}/{dagRunId}/attempts',
  operationId: 'listDAGRunAttempts',
  summary: 'List how often a run was executed, and why',
  description:
    'A run is executed again when it is retried, and when its worker stops or is lost. The id "latest" selects the newest run of the DAG.',
  params: z.object(runParams),
});

export const listSubDagRunAttempts = endpoint({
  ...attempts,
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/attempts',
  operationId: 'listSubDAGRunAttempts',
  summary: 'List how often a child run was executed, and why',
  params: subRunParams,
});
