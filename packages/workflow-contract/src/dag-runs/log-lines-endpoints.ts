import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { queryInteger } from '../common/query-integer';
import { remoteNode } from '../common/parameters';
import { LogLinesResponse } from './log-line-schemas';
import {
  anyLogStream,
  invalidRequest,
  runNotFound,
  runParams,
  stepNotFound,
  stepParams,
  subRunParams,
  subStepParams,
  tag,
  unauthenticated,
} from './shared';

const maxBytes = 1_000_000_000_000;

const query = z.object({
  remoteNode,
  tail: queryInteger(1, 10_000).optional().describe('Number of lines from the end; takes precedence over the others.'),
  byte: queryInteger(0, maxBytes)
    .optional()
    .describe('The first line is the one that has this byte; takes precedence over "line".'),
  line: queryInteger(1, 2_147_483_647).optional().describe('Number of the first line. Default 1.'),
  limit: queryInteger(1, 10_000).optional().describe('Maximum number of lines. Default 1000.'),
});
const stepQuery = query.extend({ stream: anyLogStream });

const description =
  'Lines with their numbers, positions and times, from any line, byte or the end of a log of any size. A log that was not written yet is empty. Standard output and standard error of a step are one log with stream=both, in the order in which they were printed.';

const success = { status: 200, description: 'The lines.', schema: LogLinesResponse } as const;
const runErrors = { 400: invalidRequest, 401: unauthenticated, 404: runNotFound } as const;
const stepErrors = { ...runErrors, 404: stepNotFound } as const;

export const getDagRunLogLines = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/log/lines',
  operationId: 'getDAGRunLogLines',
  tag,
  summary: 'Get lines of the log of a run',
  description,
  access: 'authenticated',
  params: z.object(runParams),
  query,
  success,
  errors: runErrors,
});

export const getDagRunStepLogLines = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/lines',
  operationId: 'getDAGRunStepLogLines',
  tag,
  summary: 'Get lines of the log of a step',
  description,
  access: 'authenticated',
  params: stepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});

export const getSubDagRunLogLines = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/lines',
  operationId: 'getSubDAGRunLogLines',
  tag,
  summary: 'Get lines of the log of a child run',
  description,
  access: 'authenticated',
  params: subRunParams,
  query,
  success,
  errors: runErrors,
});

export const getSubDagRunStepLogLines = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/lines',
  operationId: 'getSubDAGRunStepLogLines',
  tag,
  summary: 'Get lines of the log of a step of a child run',
  description,
  access: 'authenticated',
  params: subStepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});
