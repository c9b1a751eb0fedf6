import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { LogSearchResponse } from './log-line-schemas';
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

const query = z.object({
  remoteNode,
  query: z
    .string()
    .max(1000)
    .regex(/^[^\n]+$/)
    .describe('What to find in a line.'),
  regex: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether the query is a regular expression (RE2 syntax) for one line. Default false.'),
  ignoreCase: z.enum(['true', 'false']).optional().describe('Whether the case of letters is ignored. Default false.'),
  context: queryInteger(0, 20).optional().describe('Lines before and after each match. Default 0.'),
  limit: queryInteger(1, 1000).optional().describe('Maximum number of matching lines. Default 100.'),
  cursor: z
    .string()
    .regex(/^\d{1,10}\.\d{1,13}$/)
    .optional()
    .describe('Cursor of an earlier response.'),
});
const stepQuery = query.extend({ stream: anyLogStream });

const description =
  'Searches a log of any size from its beginning, or from a cursor, for ten seconds at most, and returns the matching lines with those around them. All matches are counted, also beyond the limit.';

const success = { status: 200, description: 'What was found.', schema: LogSearchResponse } as const;
const invalidSearch = {
  ...invalidRequest,
  reasons: [...invalidRequest.reasons, 'invalid_pattern'],
} as const;
const runErrors = { 400: invalidSearch, 401: unauthenticated, 404: runNotFound } as const;
const stepErrors = { ...runErrors, 404: stepNotFound } as const;

export const searchDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/log/search',
  operationId: 'searchDAGRunLog',
  tag,
  summary: 'Search the log of a run',
  description,
  access: 'authenticated',
  params: z.object(runParams),
  query,
  success,
  errors: runErrors,
});

export const searchDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/search',
  operationId: 'searchDAGRunStepLog',
  tag,
  summary: 'Search the log of a step',
  description,
  access: 'authenticated',
  params: stepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});

export const searchSubDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/search',
  operationId: 'searchSubDAGRunLog',
  tag,
  summary: 'Search the log of a child run',
  description,
  access: 'authenticated',
  params: subRunParams,
  query,
  success,
  errors: runErrors,
});

export const searchSubDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/search',
  operationId: 'searchSubDAGRunStepLog',
  tag,
  summary: 'Search the log of a step of a child run',
  description,
  access: 'authenticated',
  params: subStepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});
