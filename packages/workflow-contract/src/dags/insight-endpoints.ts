import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { isWorkspaceQueryValid, remoteNode, workspaceQuery, workspaceQueryRule } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { occurrence } from './occurrence-fields';
import { runRefusals } from '../run-inputs/run-request';
import { RunConfig } from './schemas';
import { DagName } from '../run-inputs/identity';

const tag = 'dags';
const { unauthenticated, parserBusy } = errorAnswers;
const params = z.object({ fileName: DagName });
const { 404: notFound } = runRefusals;
const invalidRequest = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const loading = {
  description: 'The folder is still being read for the first time.',
  reasons: ['dags_loading'],
} as const;
const after = z.iso.datetime({ offset: true }).optional().describe('Only later ones. Default: now.');

const suspended = z.boolean().describe('Whether the schedule is suspended, so that none of them starts a run.');

export const getDagOccurrences = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/occurrences',
  operationId: 'getDAGOccurrences',
  tag,
  summary: 'Preview the next occurrences of the schedule of a DAG',
  access: 'authenticated',
  params,
  query: z.object({
    remoteNode,
    after,
    count: queryInteger(1, 500).default(10).describe('Maximum number of occurrences: 1 to 500. Default 10.'),
  }),
  success: {
    status: 200,
    description: 'The occurrences.',
    schema: z
      .object({
        occurrences: z
          .array(z.object(occurrence).meta({ id: 'Occurrence', description: 'A moment that a schedule names.' }))
          .describe('Earliest first.'),
        suspended,
      })
      .meta({ id: 'DAGOccurrencesResponse', description: 'The next occurrences of a schedule.' }),
  },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: notFound, 503: parserBusy },
});

export const getCalendar = endpoint({
  method: 'GET',
  path: '/schedules/calendar',
  operationId: 'getScheduleCalendar',
  tag,
  summary: 'List the occurrences of all DAGs in a range of time',
  access: 'authenticated',
  query: z
    .object({
      remoteNode,
      ...workspaceQuery,
      after,
      to: z.iso.datetime({ offset: true }).describe('Until this time, inclusive.'),
      limit: queryInteger(1, 5000).default(1000).describe('Maximum number: 1 to 5,000. Default 1,000.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule),
  success: {
    status: 200,
    description: 'The occurrences.',
    schema: z
      .object({
        occurrences: z
          .array(
            z
              .object({
                fileName: z.string().describe('Name of the file.'),
                name: z.string().describe('Name of the DAG.'),
                suspended,
                ...occurrence,
              })
              .meta({ id: 'CalendarOccurrence', description: 'A moment that the schedule of a DAG names.' }),
          )
          .describe('Earliest first.'),
        hasMore: z.boolean().describe('Whether there are more than the limit.'),
      })
      .meta({ id: 'ScheduleCalendarResponse', description: 'The occurrences of a range of time.' }),
  },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
    503: loading,
  },
});

export const getDagParamsSchema = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/params-schema',
  operationId: 'getDAGParamsSchema',
  tag,
  summary: 'Get the parameters of a DAG as a JSON Schema',
  description: 'Of a DAG that names a file or URL with the schema, its declarations; they are read for each request.',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode }),
  success: {
    status: 200,
    description: 'The schema.',
    schema: z
      .object({
        schema: z.record(z.string(), z.unknown()).describe('A JSON Schema, draft 7, of an object.'),
        runConfig: RunConfig.optional(),
      })
      .meta({ id: 'DAGParamsSchemaResponse', description: 'The parameters of a DAG.' }),
  },
  errors: {
    400: {
      description: 'The schema that the DAG names cannot be read, or the node is not this one.',
      reasons: ['request_invalid', 'params_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: notFound,
    503: parserBusy,
  },
});

export const getDagCallers = endpoint({
  method: 'GET',
  path: '/dags/{fileName}/callers',
  operationId: 'getDAGCallers',
  tag,
  summary: 'List the DAGs that call a DAG',
  description: 'Only visible ones, and only calls whose DAG is named in the spec and not by a reference.',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode }),
  success: {
    status: 200,
    description: 'The callers.',
    schema: z
      .object({
        callers: z
          .array(
            z
              .object({
                fileName: z.string().describe('Name of the file.'),
                name: z.string().describe('Name of the DAG.'),
                workspace: z.string().optional().describe('Its workspace.'),
                steps: z.array(z.string()).describe('Names of the steps and handlers that call the DAG.'),
              })
              .meta({ id: 'DAGCaller', description: 'A DAG that calls another one.' }),
          )
          .describe('By name.'),
      })
      .meta({ id: 'DAGCallersResponse', description: 'The DAGs that call a DAG.' }),
  },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    404: notFound,
    503: {
      description: `${parserBusy.description} Or: ${loading.description}`,
      reasons: ['parser_busy', 'dags_loading'],
    },
  },
});
