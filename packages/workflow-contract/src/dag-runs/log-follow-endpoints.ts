import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
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
  tail: queryInteger(0, 10_000).optional().describe('Number of lines from the end; takes precedence over the others.'),
  byte: queryInteger(0, maxBytes)
    .optional()
    .describe('The first line is the one that has this byte; takes precedence over "line".'),
  line: queryInteger(1, 2_147_483_647).optional().describe('Number of the first line. Default 1.'),
  lastEventId: z
    .string()
    .max(32)
    .optional()
    .describe('Id of the last event, as the header Last-Event-ID; takes precedence over where to begin.'),
});
const stepQuery = query.extend({ stream: anyLogStream });

const description =
  'Server-sent events. "lines" is a LogLinesResponse with the next complete lines; its id continues after them. "cut" with {line, byte} says that the log became shorter: what is sent from that line on replaces what was sent before. "end" with {nextLine, nextByte} is sent when the step or run has ended and all its lines were sent; "closed" with {code, message} when the log can no longer be read. After both the client is to close the stream. A stream ends without them after five minutes and is to be opened again with the last event id.';

const success = { status: 200, description: 'The events.', content: { kind: 'events' } } as const;
const errors = {
  400: { ...invalidRequest, reasons: [...invalidRequest.reasons, 'invalid_last_event_id'] },
  401: unauthenticated,
  404: runNotFound,
  503: { description: 'There are too many streams.', reasons: ['too_many_streams'] },
} as const;
const stepErrors = { ...errors, 404: stepNotFound } as const;

export const followDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/log/follow',
  operationId: 'followDAGRunLog',
  tag,
  summary: 'Follow the log of a run',
  description,
  access: 'authenticated',
  params: z.object(runParams),
  query,
  success,
  errors,
});

export const followDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/follow',
  operationId: 'followDAGRunStepLog',
  tag,
  summary: 'Follow the log of a step',
  description,
  access: 'authenticated',
  params: stepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});

export const followSubDagRunLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/follow',
  operationId: 'followSubDAGRunLog',
  tag,
  summary: 'Follow the log of a child run',
  description,
  access: 'authenticated',
  params: subRunParams,
  query,
  success,
  errors,
});

export const followSubDagRunStepLog = endpoint({
  method: 'GET',
  path: '/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/follow',
  operationId: 'followSubDAGRunStepLog',
  tag,
  summary: 'Follow the log of a step of a child run',
  description,
  access: 'authenticated',
  params: subStepParams,
  query: stepQuery,
  success,
  errors: stepErrors,
});
