import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { invalidRequest, runNotFound, runParams, tag, unauthenticated } from './shared';
import { DagRunId } from '../run-inputs/identity';

const query = z.object({ remoteNode });

const DagRunSpecResponse = z
  .object({ spec: z.string().describe('YAML text as it was when the run was created; it may contain several DAGs.') })
  .meta({ id: 'DAGRunSpecResponse', description: 'The spec of a run.' });

const answers = {
  success: { status: 200, description: 'The spec.', schema: DagRunSpecResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound },
} as const;

export const getDagRunSpec = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/spec',
  operationId: 'getDAGRunSpec',
  tag,
  summary: 'Get the spec of a run',
  description:
    'The spec that the run was created with; later edits of the file do not change it. The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params: z.object(runParams),
  query,
  ...answers,
});

export const getSubDagRunSpec = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/spec',
  operationId: 'getSubDAGRunSpec',
  tag,
  summary: 'Get the spec of a child run',
  description: 'A DAG of the same file as its parent is one of the DAGs in the text.',
  access: 'authenticated',
  params: z.object({ ...runParams, subDAGRunId: DagRunId }),
  query,
  ...answers,
});
