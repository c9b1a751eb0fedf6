import { endpoint, type ErrorAnswer, type Success } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import {
  invalidRequest,
  runNotFound,
  runParams,
  stepNotFound,
  stepLogParams,
  subRunParams,
  subStepLogParams,
  tag,
  unauthenticated,
} from './shared';

const maxBytes = 1_000_000_000_000;

/** The position at which reading a log starts. */
export const logStart = ({ minimumTail }: { readonly minimumTail: number }) => ({
  tail: queryInteger(minimumTail, 10_000)
    .optional()
    .describe('Number of lines from the end; takes precedence over the others.'),
  byte: queryInteger(0, maxBytes)
    .optional()
    .describe('The first line is the one that has this byte; takes precedence over "line".'),
  line: queryInteger(1, 2_147_483_647).optional().describe('Number of the first line. Default 1.'),
});

interface LogOperation<Query extends z.ZodRawShape, StepQuery extends z.ZodRawShape, Answer extends Success> {
  /** Last part of the path. */
  readonly action: string;
  /** Operation ids begin and end with these. */
  readonly operation: readonly [verb: string, subject?: string];
  /** The summary, without the log. */
  readonly title: string;
  readonly description: string;
  readonly query: Query;
  /** What is read of the log of a step. */
  readonly stepQuery: StepQuery;
  readonly success: Answer;
  /** Beyond those of every log, or in their place. */
  readonly errors?: Readonly<Partial<Record<number, ErrorAnswer>>>;
}

/** One operation on each of the four kinds of logs: of a run, of its steps, of its child runs and of their steps. */
export function logOperation<
  Query extends z.ZodRawShape,
  StepQuery extends z.ZodRawShape,
  const Answer extends Success,
>(definition: LogOperation<Query, StepQuery, Answer>) {
  const { action, title, description, success } = definition;
  const [verb, subject = ''] = definition.operation;
  const common = { method: 'GET', tag, description, access: 'authenticated', success } as const;
  const query = z.object({ remoteNode, ...definition.query });
  const stepQuery = z.object({ remoteNode, ...definition.query, ...definition.stepQuery });
  const errors = { 400: invalidRequest, 401: unauthenticated, 404: runNotFound, ...definition.errors };
  const stepErrors = { ...errors, 404: stepNotFound };
  return {
    ofRun: endpoint({
      ...common,
      path: `/dag-runs/{name}/{dagRunId}/log/${action}`,
      operationId: `${verb}DAGRunLog${subject}`,
      summary: `${title} the log of a run`,
      params: z.object(runParams),
      query,
      errors,
    }),
    ofStep: endpoint({
      ...common,
      path: `/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/${action}`,
      operationId: `${verb}DAGRunStepLog${subject}`,
      summary: `${title} the log of a step`,
      params: stepLogParams,
      query: stepQuery,
      errors: stepErrors,
    }),
    ofSubRun: endpoint({
      ...common,
      path: `/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/${action}`,
      operationId: `${verb}SubDAGRunLog${subject}`,
      summary: `${title} the log of a child run`,
      params: subRunParams,
      query,
      errors,
    }),
    ofSubStep: endpoint({
      ...common,
      path: `/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/${action}`,
      operationId: `${verb}SubDAGRunStepLog${subject}`,
      summary: `${title} the log of a step of a child run`,
      params: subStepLogParams,
      query: stepQuery,
      errors: stepErrors,
    }),
  };
}
