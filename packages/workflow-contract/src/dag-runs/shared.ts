import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { DagRunId } from '../run-inputs/identity';

export const tag = 'dag-runs';
export const { unauthenticated, parserBusy } = errorAnswers;
export const invalidRequest = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
export const runNotFound = {
  description: 'There is no such run, or it is not visible.',
  reasons: ['dag_run_not_found'],
} as const;
export const stepNotFound = {
  description: 'There is no such run or step, or it is not visible.',
  reasons: ['dag_run_not_found', 'step_not_found'],
} as const;

const lineCount = queryInteger(1, 10_000);
const lineNumber = queryInteger(1, 2_147_483_647);

export const runParams = {
  name: z.string().min(1).max(255).describe('Name of the DAG.'),
  dagRunId: DagRunId,
};

export const mayNotControl = {
  description: 'The role does not permit controlling runs in this workspace.',
  reasons: ['role_missing'],
} as const;

export const stepName = z.string().min(1).max(255).describe('Name of the step.');
export const stepParams = z.object({ ...runParams, stepName });
export const subRunParams = z.object({ ...runParams, subDAGRunId: DagRunId });
export const subStepParams = z.object({ ...runParams, subDAGRunId: DagRunId, stepName });

const loggedStepName = z
  .string()
  .min(1)
  .max(1024)
  .describe(
    'Name of the step. Of a step in a loop, the name of the loop, the index of the iteration from 0 and its own name, with "/" between them: each/0/load.',
  );
export const stepLogParams = stepParams.extend({ stepName: loggedStepName });
export const subStepLogParams = subStepParams.extend({ stepName: loggedStepName });

export const logQuery = {
  remoteNode,
  tail: lineCount.optional().describe('Number of lines from the end; takes precedence over the others.'),
  head: lineCount.optional().describe('Number of lines from the beginning; takes precedence over offset and limit.'),
  offset: lineNumber.optional().describe('First line, counted from 1.'),
  limit: lineCount.optional().describe('Maximum number of lines. Default 1000.'),
};

const logStream = z.enum(['stdout', 'stderr']).optional().describe('The stream. Default stdout.');

const attempt = queryInteger(1, 1_000_000)
  .optional()
  .describe('Only the output of this attempt, counted from 1, as a log of its own. Default: of all attempts.');

/** What is read of the log of a step, line by line. */
export const stepLinesQuery = {
  stream: z.enum(['stdout', 'stderr', 'both']).optional().describe('The stream, or both as one log. Default stdout.'),
  attempt,
};

/** What is read of the log of a step as text. */
export const stepTextQuery = { stream: logStream, attempt };

export const stepLogQuery = { ...logQuery, ...stepTextQuery };
