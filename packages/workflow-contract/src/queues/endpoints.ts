import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import { mayNotControl, runNotFound } from '../dag-runs/shared';
import { rolesFrom } from '../common/roles';
import {
  DeadLettersResponse,
  MoveQueueItemRequest,
  QueuedDagRunsPageResponse,
  QueuePositionResponse,
  Queue,
  QueuesResponse,
  RedriveRequest,
  RedriveResponse,
} from './schemas';

const tag = 'queues';
const { unauthenticated } = errorAnswers;
const params = z.object({ name: z.string().min(1).max(255).describe('Name of the queue.') });
const invalidRequest = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const queueNotFound = {
  description: 'The queue has no configured slots and holds no run that is visible.',
  reasons: ['queue_not_found'],
} as const;

export const listQueues = endpoint({
  method: 'GET',
  path: '/queues',
  operationId: 'listQueues',
  tag,
  summary: 'List the queues',
  description:
    'By name. Configured queues are always listed, the queues of DAGs while they hold a run. Only visible runs are counted and listed.',
  access: 'authenticated',
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The queues.', schema: QueuesResponse },
  errors: { 400: invalidRequest, 401: unauthenticated },
});

export const getQueue = endpoint({
  method: 'GET',
  path: '/queues/{name}',
  operationId: 'getQueue',
  tag,
  summary: 'Get a queue',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The queue.', schema: Queue },
  errors: { 400: invalidRequest, 401: unauthenticated, 404: queueNotFound },
});

export const listQueueItems = endpoint({
  method: 'GET',
  path: '/queues/{name}/items',
  operationId: 'listQueueItems',
  tag,
  summary: 'List the runs that wait in a queue',
  description: 'In the order in which they will be claimed.',
  access: 'authenticated',
  params,
  query: z.object({
    remoteNode,
    limit: queryInteger(-2_147_483_648, 2_147_483_647).optional().describe('Runs per page: 1 to 500. Default 100.'),
    cursor: z.string().max(1024).optional().describe('nextCursor of the previous page.'),
  }),
  success: { status: 200, description: 'A page of runs.', schema: QueuedDagRunsPageResponse },
  errors: {
    400: {
      description: 'A parameter is not valid, or the cursor belongs to another queue.',
      reasons: ['request_invalid', 'cursor_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    404: queueNotFound,
  },
});

const control = {
  method: 'POST',
  tag,
  access: rolesFrom('operator'),
  params,
  query: z.object({ remoteNode }),
  success: { status: 200, description: 'The queue.', schema: Queue },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    403: {
      description: 'The role does not permit this operation, or not in all workspaces.',
      reasons: ['role_missing'],
    },
    404: queueNotFound,
  },
} as const;

export const pauseQueue = endpoint({
  ...control,
  path: '/queues/{name}/pause',
  operationId: 'pauseQueue',
  audit: { category: 'queue', action: 'queue_pause' },
  summary: 'Pause a queue',
  description:
    'No run that waits for a slot is claimed until the queue is resumed, also after a restart. Runs that are executed continue, and those that need no slot are still started. A queue is shared by all workspaces, so the role is needed in all of them.',
});

export const resumeQueue = endpoint({
  ...control,
  path: '/queues/{name}/resume',
  operationId: 'resumeQueue',
  audit: { category: 'queue', action: 'queue_resume' },
  summary: 'Resume a paused queue',
});

export const moveQueueItem = endpoint({
  method: 'POST',
  path: '/queues/{name}/items/move',
  operationId: 'moveQueueItem',
  audit: { category: 'queue', action: 'queue_move' },
  tag,
  summary: 'Move a waiting run to the beginning or the end of its queue',
  description:
    'Before or behind those that wait now: a run that is queued later with a higher priority may still come first.',
  access: 'authenticated',
  params,
  query: z.object({ remoteNode }),
  body: MoveQueueItemRequest,
  success: { status: 200, description: 'The run was moved.', schema: QueuePositionResponse },
  errors: {
    400: {
      description: 'The run does not wait in this queue, a parameter is not valid, or the node is not this one.',
      reasons: ['not_queued', 'request_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: mayNotControl,
    404: runNotFound,
  },
});

const queueName = z.string().min(1).max(255).optional().describe('Only those of this queue.');

export const listDeadLetters = endpoint({
  method: 'GET',
  path: '/dead-letters',
  operationId: 'listDeadLetters',
  tag,
  summary: 'List the runs that were given up',
  description:
    'Runs that failed because workers were lost or could not execute them too often; the newest 500 that are visible. A run that is queued again leaves the list.',
  access: 'authenticated',
  query: z.object({ remoteNode, queue: queueName }),
  success: { status: 200, description: 'The runs.', schema: DeadLettersResponse },
  errors: { 400: invalidRequest, 401: unauthenticated },
});

export const redriveDeadLetters = endpoint({
  method: 'POST',
  path: '/dead-letters/redrive',
  operationId: 'redriveDeadLetters',
  audit: { category: 'queue', action: 'queue_redrive' },
  tag,
  summary: 'Queue runs again that were given up',
  description:
    'Those that are listed, of one queue, or one run. Each is retried under its ID: steps that passed are not executed again. What is refused stays in the list.',
  access: rolesFrom('operator'),
  query: z.object({ remoteNode }),
  body: RedriveRequest,
  success: { status: 200, description: 'What was queued again.', schema: RedriveResponse },
  errors: {
    400: invalidRequest,
    401: unauthenticated,
    403: { description: 'The role does not permit this operation.', reasons: ['role_missing'] },
  },
});
