import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forReaders } from '../common/access';
import { errorAnswers, refusals, sessionRefusals } from '../common/errors';
import { cursor } from '../common/paging';
import { queryFlag, queryInteger } from '../common/query-values';
import { interactionId, sessionId } from '../common/texts';
import { maxRecordedTop } from '../sessions/schemas';
import { ExportResponse } from '../trajectories/schemas';
import { discountQuery, ForestResponse, previewQuery, RowsResponse, rowsQuery } from './forest-schemas';
import { AlternativesResponse, InteractionDetail, TokensResponse } from './interaction-schemas';
import { SearchResponse, ServiceStatus, TasksResponse } from './overview-schemas';

const reading = { method: 'GET', tag: 'reading', access: forReaders } as const;
const params = z.object({ sessionId });
const interactionParams = z.object({ sessionId, interactionId: interactionId.describe('Id of the interaction.') });

const ofInteraction = {
  ...refusals,
  404: {
    description: 'There is no such session or interaction.',
    reasons: ['session_not_found', 'unknown_interaction'],
  },
} as const;
const ofRows = {
  ...sessionRefusals,
  409: { description: 'Something is not proven with `strict`.', reasons: ['export_unproven'] },
  413: { description: 'The rows are too large for a preview.', reasons: ['export_too_large'] },
} as const;

export const listTasks = endpoint({
  ...reading,
  path: '/rl/tasks',
  operationId: 'listTasks',
  summary: 'List tasks with their sessions together',
  query: z.object({
    text: z.string().max(256).optional().describe('Only tasks that have this text, whatever its case.'),
    limit: queryInteger(1, 500).default(50).describe('Maximum number of tasks.'),
    cursor,
  }),
  success: { status: 200, description: 'Tasks.', schema: TasksResponse },
  errors: refusals,
});

export const getForest = endpoint({
  ...reading,
  path: '/rl/sessions/{sessionId}/forest',
  operationId: 'getForest',
  summary: 'Get the interactions of a session with discounted rewards',
  description: 'Changes nothing, so other discounts and rules can be tried before an export.',
  params,
  query: z.object(discountQuery),
  success: { status: 200, description: 'The forest.', schema: ForestResponse },
  errors: sessionRefusals,
});

export const getInteraction = endpoint({
  ...reading,
  path: '/rl/sessions/{sessionId}/interactions/{interactionId}',
  operationId: 'getInteraction',
  summary: 'Get an interaction with its conversation',
  params: interactionParams,
  success: { status: 200, description: 'The interaction.', schema: InteractionDetail },
  errors: ofInteraction,
});

export const getTokens = endpoint({
  ...reading,
  path: '/rl/sessions/{sessionId}/interactions/{interactionId}/tokens',
  operationId: 'getTokens',
  summary: 'Get the tokens of an interaction',
  description:
    'The whole path: prompt and answer. With an `Accept` header with `application/x-safetensors`, the lists are tensors of a file: `logprobs` is float32, with NaN for what was not sampled, `loss_mask` and `control` are bool, the others int32. `bytes` holds four bytes in each element, filled up with zeros. What is recorded besides is float32 with NaN for null, `mask_sizes` int32 with -1; scores are `scores.` with the name of the model. `segments`, `alternatives` and the ids are in the metadata.',
  params: interactionParams,
  success: {
    status: 200,
    description: 'The tokens.',
    schema: TokensResponse,
    content: { kind: 'bytes', type: 'application/x-safetensors' },
  },
  errors: ofInteraction,
});

export const getAlternatives = endpoint({
  ...reading,
  path: '/rl/sessions/{sessionId}/interactions/{interactionId}/alternatives',
  operationId: 'getAlternatives',
  summary: 'Get the likeliest tokens at positions of an interaction',
  description:
    'For a part of the path, as they were recorded of the calls and by models that scored the session. Empty where nothing is recorded.',
  params: interactionParams,
  query: z.object({
    from: queryInteger(0, 1_000_000_000).default(0).describe('The first position in the path.'),
    limit: queryInteger(1, 256).default(128).describe('Maximum number of positions.'),
    count: queryInteger(1, maxRecordedTop).default(10).describe('Maximum number of tokens of each position.'),
  }),
  success: { status: 200, description: 'The tokens.', schema: AlternativesResponse },
  errors: ofInteraction,
});

export const previewRows = endpoint({
  ...reading,
  path: '/rl/sessions/{sessionId}/rows',
  operationId: 'previewRows',
  summary: 'Preview the rows of an export',
  description: 'What an export with the same choices would train and leave out. The session goes on.',
  params,
  query: z.object(rowsQuery),
  success: { status: 200, description: 'The rows.', schema: RowsResponse },
  errors: ofRows,
});

export const previewExport = endpoint({
  ...reading,
  path: '/rl/sessions/{sessionId}/export_preview',
  operationId: 'previewExport',
  summary: 'Preview an export',
  description: 'The answer that an export with the same choices would have now. The session and its key go on.',
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
  ...reading,
  path: '/rl/search',
  operationId: 'searchInteractions',
  summary: 'Search the text of interactions',
  description:
    'Searches messages, reasoning, names and arguments of tools, and ids, the latest sessions first. A call searches a bounded amount; `next_cursor` continues it.',
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
  ...reading,
  path: '/rl/status',
  operationId: 'getStatus',
  summary: 'Get weights, capacity and load',
  success: { status: 200, description: 'The status.', schema: ServiceStatus },
  errors: { 401: errorAnswers.unauthenticated, 403: errorAnswers.forbidden },
});

export const watchSessions = endpoint({
  ...reading,
  path: '/rl/events',
  operationId: 'watchSessions',
  summary: 'Follow the changes of sessions',
  description:
    'Server-sent events: `ready`, then `changes` with `{ sessions, removed }`, several times a second at most, of all processes of the proxy. Nothing is repeated after a lost connection: whoever gets `ready` again, on the same stream or another one, reads the lists again.',
  success: { status: 200, description: 'Events.', content: { kind: 'events' } },
  errors: {
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    429: { description: 'Too many streams are open.', reasons: ['watchers_exhausted'] },
  },
});
