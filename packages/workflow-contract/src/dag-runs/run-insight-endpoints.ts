import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { DagRunDiffResponse, DagRunEnvironmentResponse } from './run-insight-schemas';
import { DagRunNeighbours } from './schemas';
import {
  invalidRequest,
  parserBusy,
  runNotFound,
  runParams,
  stepName,
  stepNotFound,
  subRunParams,
  tag,
  unauthenticated,
} from './shared';
import { DagRunId } from '../run-inputs/identity';

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

const environment = {
  method: 'GET',
  tag,
  access: 'authenticated',
  query: z.object({
    remoteNode,
    step: stepName
      .optional()
      .describe('Name or id of a step, whose own variables are listed. Default: those of the run and of all steps.'),
  }),
  success: { status: 200, description: 'The variables.', schema: DagRunEnvironmentResponse },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: stepNotFound, 503: parserBusy },
} as const;

export const getDagRunEnvironment = endpoint({
  ...environment,
  path: '/dag-runs/{name}/{dagRunId}/environment',
  operationId: 'getDAGRunEnvironment',
  summary: 'List the environment variables of a run or one of its steps, with their sources and values',
  params,
});

export const getSubDagRunEnvironment = endpoint({
  ...environment,
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/environment',
  operationId: 'getSubDAGRunEnvironment',
  summary: 'List the environment variables of a child run or one of its steps, with their sources and values',
  params: subRunParams,
});

export const getDagRunNeighbours = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/neighbours',
  operationId: 'getDAGRunNeighbours',
  tag,
  summary: 'Get the runs of the DAG before and after a run',
  description: 'Of the runs that the caller may see. The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The ids of the runs.', schema: DagRunNeighbours },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: runNotFound },
});
