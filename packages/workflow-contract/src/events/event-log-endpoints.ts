import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { isWorkspaceQueryValid, remoteNode, workspaceQuery, workspaceQueryRule } from '../common/parameters';
import { queryInteger } from '../common/query-integer';

const { unauthenticated, forbidden } = errorAnswers;

const EventLogEntry = z
  .object({
    id: z.string().describe('Id of the entry.'),
    schemaVersion: z.int().describe('Version of this form: 1.'),
    occurredAt: z.iso.datetime({ offset: true }).describe('When it happened.'),
    recordedAt: z.iso.datetime({ offset: true }).describe('When it was stored.'),
    kind: z
      .string()
      .describe('"dag_run" for a status of a run, "decision" for what a person decided, "queue" for a queue.'),
    type: z
      .string()
      .describe(
        'Such as "dag.run.failed", "step.approved", "step.rejected", "step.pushed_back", "step.completed", "queue.paused", "queue.resumed".',
      ),
    sourceService: z.string().describe('The service that recorded it.'),
    sourceInstance: z.string().optional().describe('Its process.'),
    dagName: z.string().optional().describe('Name of the DAG. Absent for a queue.'),
    dagRunId: z.string().optional().describe('Id of the run.'),
    attemptId: z.string().optional().describe('Number of the attempt of the run.'),
    userId: z.string().optional().describe('Name of the user or API key that decided, or changed the queue.'),
    status: z.string().optional().describe('Status of the run.'),
    data: z.record(z.string(), z.unknown()).optional().describe('More about the event.'),
  })
  .meta({ id: 'EventLogEntry', description: 'Something that happened.' });

const EventLogsResponse = z
  .object({
    entries: z.array(EventLogEntry).describe('Newest first.'),
    total: z.int().optional().describe('How many entries match. Only in offset mode.'),
    nextCursor: z
      .string()
      .optional()
      .describe('Cursor of the next page. Only in cursor mode; absent on the last page.'),
  })
  .meta({ id: 'EventLogsResponse', description: 'A page of the event log.' });
export type EventLogsResponse = z.output<typeof EventLogsResponse>;

const text = z.string().max(255).optional();
const time = z.iso.datetime({ offset: true }).optional();

export const listEventLogs = endpoint({
  method: 'GET',
  path: '/event-logs',
  operationId: 'listEventLogs',
  tag: 'events',
  summary: 'List what happened to runs and queues',
  description:
    'Entries are kept up to a number and an age. They are stored about a second after the event; a server that is killed loses those that were not stored yet, but never a run. Managers of single workspaces get the entries about these.',
  // The role in the workspace of an entry counts, see `objectRoles`.
  access: 'authenticated',
  query: z
    .object({
      remoteNode,
      ...workspaceQuery,
      kind: text.describe('Only entries of this kind.'),
      type: text.describe('Only entries of this type.'),
      dagName: text.describe('Only entries of runs of this DAG.'),
      dagRunId: text.describe('Only entries of runs with this id.'),
      attemptId: text.describe('Only entries of this attempt of a run.'),
      sessionId: text.describe('Only entries of a conversation; this server has none.'),
      userId: text.describe('Only entries about decisions of this user.'),
      model: text.describe('Only entries about a language model; this server has none.'),
      startTime: time.describe('Only what happened at this time or later.'),
      endTime: time.describe('Only what happened before this time.'),
      limit: queryInteger(1, 500).default(50).describe('Maximum number: 1 to 500. Default 50.'),
      paginationMode: z
        .enum(['offset', 'cursor'])
        .optional()
        .describe('How pages are found. Default: "cursor" with a cursor, otherwise "offset".'),
      offset: queryInteger(0, 1_000_000).optional().describe('How many entries come before the page, in offset mode.'),
      cursor: z.string().max(1024).optional().describe('nextCursor of the previous page.'),
    })
    .refine(isWorkspaceQueryValid, workspaceQueryRule)
    .refine(({ cursor, paginationMode }) => cursor === undefined || paginationMode !== 'offset', {
      message: '"cursor" needs the mode "cursor".',
      path: ['paginationMode'],
    })
    .refine(({ paginationMode, offset }) => offset === undefined || paginationMode !== 'cursor', {
      message: '"offset" needs the mode "offset".',
      path: ['offset'],
    })
    .refine(({ cursor, offset }) => cursor === undefined || offset === undefined, {
      message: '"cursor" and "offset" exclude each other.',
      path: ['cursor'],
    }),
  success: { status: 200, description: 'A page of entries.', schema: EventLogsResponse },
  errors: {
    400: {
      description: 'A parameter is not valid, the cursor belongs to another list, or the node is not this one.',
      reasons: ['request_invalid', 'cursor_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: forbidden,
    404: { description: 'The workspace is not visible.', reasons: ['workspace_not_found'] },
  },
});
