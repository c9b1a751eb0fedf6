import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { isWorkspaceQueryValid, remoteNode, workspaceQuery, workspaceQueryRule } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { DagRunSummary } from './schemas';
import { invalidRequest, tag, unauthenticated } from './shared';

export const listFailures = endpoint({
  method: 'GET',
  path: '/run-failures',
  operationId: 'listRunFailures',
  tag,
  summary: 'List the last runs that failed, each with its failed step and the last line of its log',
  access: 'authenticated',
  query: z
    .object({
      remoteNode,
      ...workspaceQuery,
      limit: queryInteger(1, 20).default(10).describe('Maximum number: 1 to 20. Default 10.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: {
    status: 200,
    description: 'The runs.',
    schema: z
      .object({
        failures: z
          .array(
            z
              .object({
                run: DagRunSummary,
                step: z
                  .object({
                    name: z.string().describe('Name of the step.'),
                    error: z.string().optional().describe('Why it failed.'),
                    exitCode: z.int().optional().describe('Exit code of its last process.'),
                    lastLine: z
                      .string()
                      .optional()
                      .describe(
                        'The last line that is not blank of its standard error, else of its standard output; at most 1,000 characters of it.',
                      ),
                  })
                  .meta({ id: 'FailedStep', description: 'A step that failed.' })
                  .optional(),
              })
              .meta({ id: 'RunFailure', description: 'A failed run and the step of it that failed last.' }),
          )
          .describe('Newest first.'),
      })
      .meta({ id: 'RunFailuresResponse', description: 'The last runs that failed.' }),
  },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: { description: 'The workspace is unknown or not visible.', reasons: ['workspace_not_found'] },
  },
});
