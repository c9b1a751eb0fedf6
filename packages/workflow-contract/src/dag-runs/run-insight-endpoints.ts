import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { DagRunDiffResponse, DagRunEnvironmentResponse } from './run-insight-schemas';
import { DagRunId } from './schemas';
import { invalidRequest, parserBusy, runNotFound, runParams, tag, unauthenticated } from './shared';

const params = z.object(runParams);

export const compareDagRuns = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/diff',
  operationId: 'compareDAGRuns',
  tag,
  summary: 'Compare a run with another one',
  description:
    'Specs, parameters, names of environment variables, durations and outputs. The other run is the older side, whenever it ran.',
  access: 'authenticated',
  params,
  query: z.object({
    remoteNode,
    with: DagRunId.optional().describe('Id of the other run. Default: the run of the DAG before this one.'),
    withName: z.string().min(1).max(255).optional().describe('Name of its DAG. Default: the same.'),
  }),
  success: { status: 200, description: 'The comparison.', schema: DagRunDiffResponse },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: { ...runNotFound, description: 'There is no such run, or none before it, or it is not visible.' },
    503: parserBusy,
  },
});

export const getDagRunEnvironment = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/environment',
  operationId: 'getDAGRunEnvironment',
  tag,
  summary: 'List the environment variables of a run with their sources',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The variables.', schema: DagRunEnvironmentResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound, 503: parserBusy },
});
