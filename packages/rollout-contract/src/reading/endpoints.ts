import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forReaders } from '../common/access';
import { errorAnswers } from '../common/errors';
import { queryFlag, queryInteger } from '../common/query-values';
import { interactionId, sessionId } from '../common/texts';
import { ExportResponse } from '../trajectories/schemas';
import { discountQuery, ForestResponse, previewQuery, RowsResponse, rowsQuery } from './forest-schemas';
import { InteractionDetail, TokensResponse } from './interaction-schemas';
import { SearchResponse, ServiceStatus, TasksResponse } from './overview-schemas';

const tag = 'reading';
const access = forReaders;
const params = z.object({ sessionId });
const interactionParams = z.object({ sessionId, interactionId: interactionId.describe('Id of the interaction.') });
const cursor = z.string().max(128).optional().describe('`next_cursor` of the page before.');

const refusals = {
  400: errorAnswers.invalid,
  401: errorAnswers.unauthenticated,
  403: errorAnswers.forbidden,
} as const;
const ofSession = { ...refusals, 404: errorAnswers.sessionUnknown } as const;
const ofInteraction = {
  ...refusals,
  404: {
    description: 'There is no such session or interaction.',
    reasons: ['session_not_found', 'unknown_interaction'],
  },
} as const;
const ofRows = {
  ...ofSession,
  409: { description: 'Something is not proven with `strict`.', reasons: ['export_unproven'] },
  413: { description: 'The rows are too large for a preview.', reasons: ['export_too_large'] },
} as const;

export const listTasks = endpoint({
  method: 'GET',
  path: '/rl/tasks',
  operationId: 'listTasks',
  tag,
  summary: 'List tasks with their sessions together',
  access,
  query: z.object({
    text: z.string().max(256).optional().describe('Only tasks that have this text, whatever its case.'),
    limit: queryInteger(1, 500).default(50).describe('Maximum number of tasks.'),
    cursor,
  }),
  success: { status: 200, description: 'Tasks.', schema: TasksResponse },
  errors: refusals,
});

export const getForest = endpoint({
  method: 'GET',
  path: '/rl/sessions/{sessionId}/forest',
  operationId: 'getForest',
  tag,
  summary: 'Get the interactions of a session with discounted rewards',
  description: 'Changes nothing, so other discounts and rules can be tried before an export.',
  access,
  params,
  query: z.object(discountQuery),
  success: { status: 200, description: 'The forest.', schema: ForestResponse },
  errors: ofSession,
});

export const getInteraction = endpoint({
  method: 'GET',
  path: '/rl/sessions/{sessionId}/interactions/{interactionId}',
  operationId: 'getInteraction',
  tag,
  summary: 'Get an interaction with its conversation',
  access,
  params: interactionParams,
  success: { status: 200, description: 'The interaction.', schema: InteractionDetail },
  errors: ofInteraction,
});

export const getTokens = endpoint({
  method: 'GET',
  path: '/rl/sessions/{sessionId}/interactions/{interactionId}/tokens',
  operationId: 'getTokens',
  tag,
  summary: 'Get the tokens of an interaction',
  description:
    'The whole path: prompt and answer. With an `Accept` header with `application/x-safetensors`, the lists are tensors of a file: `logprobs` is float32, with NaN for what was not sampled, `loss_mask` and `control` are bool, the others int32. `bytes` holds four bytes in each element, filled up with zeros; `segments` and the ids are in the metadata.',
  access,
  params: interactionParams,
  success: {
    status: 200,
    description: 'The tokens.',
    schema: TokensResponse,
    content: { kind: 'bytes', type: 'application/x-safetensors' },
  },
  errors: ofInteraction,
});

export const previewRows = endpoint({
  method: 'GET',
  path: '/rl/sessions/{sessionId}/rows',
  operationId: 'previewRows',
  tag,
  summary: 'Preview the rows of an export',
  description: 'What an export with the same choices would train and leave out. The session goes on.',
  access,
  params,
  query: z.object(rowsQuery),
  success: { status: 200, description: 'The rows.', schema: RowsResponse },
  errors: ofRows,
});

export const previewExport = endpoint({
  method: 'GET',
  path: '/rl/sessions/{sessionId}/export_preview',
  operationId: 'previewExport',
  tag,
  summary: 'Preview an export',
  description: 'The answer that an export with the same choices would have now. The session and its key go on.',
  access,
  params,
  query: z.object(previewQuery),
  success: {
    status: 200,
    description: 'The trajectories.',
    schema: ExportResponse,
    content: { kind: 'bytes', type: 'application/x-safetensors' },
  },
  errors: ofRows,
});

export const searchInteractions = endpoint({
  method: 'GET',
  path: '/rl/search',
  operationId: 'searchInteractions',
  tag,
  summary: 'Search the text of interactions',
  description:
    'Searches messages, reasoning, names and arguments of tools, and ids, the latest sessions first. A call searches a bounded amount; `next_cursor` continues it.',
  access,
  query: z.object({
    text: z.string().min(1).max(256).describe('The text to find.'),
    match_case: queryFlag.default('false').describe('Whether the case of letters counts.'),
    session_id: sessionId.optional().describe('Only in this session.'),
    limit: queryInteger(1, 200).default(50).describe('Maximum number of matches.'),
    cursor,
  }),
  success: { status: 200, description: 'The matches.', schema: SearchResponse },
  errors: refusals,
});

export const getStatus = endpoint({
  method: 'GET',
  path: '/rl/status',
  operationId: 'getStatus',
  tag,
  summary: 'Get weights, capacity and load',
  access,
  success: { status: 200, description: 'The status.', schema: ServiceStatus },
  errors: { 401: errorAnswers.unauthenticated, 403: errorAnswers.forbidden },
});

export const watchSessions = endpoint({
  method: 'GET',
  path: '/rl/events',
  operationId: 'watchSessions',
  tag,
  summary: 'Follow the changes of sessions',
  description:
    'Server-sent events: `ready` once, then `changes` with `{ sessions, removed }`, several times a second at most. Nothing is repeated after a lost connection: whoever gets `ready` again reads the lists again.',
  access,
  success: { status: 200, description: 'Events.', content: { kind: 'events' } },
  errors: {
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    429: { description: 'Too many streams are open.', reasons: ['watchers_exhausted'] },
  },
});
