import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { forAdmin, forReaders, forSession } from '../common/access';
import { errorAnswers, refusals, sessionRefusals } from '../common/errors';
import { cursor } from '../common/paging';
import { queryInteger } from '../common/query-values';
import { sessionId, taskId } from '../common/texts';
import {
  EndSessionRequest,
  EndSessionResponse,
  SessionDetail,
  SessionsListResponse,
  SessionState,
  SetLossWeightRequest,
  SetLossWeightResponse,
  SetRewardRequest,
  SetRewardResponse,
  StartSessionRequest,
  StartSessionResponse,
} from './schemas';

const params = z.object({ sessionId });

/** Of an operation for the session of a key. */
const ownRefusals = {
  401: errorAnswers.unauthenticated,
  403: { description: 'The key belongs to another session.', reasons: ['session_not_own'] },
  404: errorAnswers.sessionUnknown,
} as const;
const changeRefusals = {
  ...ownRefusals,
  409: {
    description: 'The session has ended, or the idempotency key was used with another request.',
    reasons: ['session_ended', 'idempotency_key_reused'],
  },
} as const;

export const startSession = endpoint({
  method: 'POST',
  path: '/rl/start_session',
  operationId: 'startSession',
  tag: 'episodes',
  summary: 'Start a session',
  description:
    'Uses one grant. Safe to retry with an `Idempotency-Key` header. An adapter that the engine does not have is loaded first.',
  access: forAdmin,
  body: StartSessionRequest,
  success: { status: 200, description: 'The new session.', schema: StartSessionResponse },
  errors: {
    400: {
      description: 'The request is not valid, or the key is the admin key.',
      reasons: ['request_invalid', 'key_is_admin_key', 'parameter_not_supported'],
    },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    409: {
      description:
        'The key belongs to an unfinished session, the adapter has another path, or the idempotency key was used with another request.',
      reasons: ['session_key_in_use', 'adapter_differs', 'idempotency_key_reused'],
    },
    429: {
      description: 'There is no unused grant, or there are too many sessions or adapters in use.',
      reasons: ['capacity_not_granted', 'sessions_exhausted', 'adapters_exhausted'],
    },
    501: { description: 'The engine has no adapters.', reasons: ['adapters_not_supported'] },
    502: {
      description: 'The engine does not have the adapter, or did not load it.',
      reasons: ['adapter_refused', 'adapter_unknown', 'adapter_operation_missing'],
    },
    503: { description: 'The engine cannot be reached.', reasons: ['engine_unreachable', 'no_healthy_replica'] },
    504: { description: 'The engine has not loaded the adapter in time.', reasons: ['engine_silent'] },
  },
});

export const setReward = endpoint({
  method: 'POST',
  path: '/rl/set_reward',
  operationId: 'setReward',
  tag: 'episodes',
  summary: 'Set the reward of an interaction',
  description:
    'With the session key until the session ends; with the admin key and `session_id` also later, until its export is acknowledged.',
  access: forSession,
  body: SetRewardRequest,
  success: { status: 200, description: 'The reward is set.', schema: SetRewardResponse },
  errors: {
    400: {
      description: 'The request is not valid, or there is no such interaction.',
      reasons: ['request_invalid', 'interaction_not_found', 'no_interactions', 'session_id_missing'],
    },
    ...changeRefusals,
  },
});

export const setLossWeight = endpoint({
  method: 'POST',
  path: '/rl/set_loss_weight',
  operationId: 'setLossWeight',
  tag: 'episodes',
  summary: 'Set how much trained tokens count in the loss',
  description:
    'Exports have it with `loss_weights` in `include_tensors`; without a weight it is 1. With the session key until the session ends; with the admin key and `session_id` also later, until its export is acknowledged.',
  access: forSession,
  body: SetLossWeightRequest,
  success: { status: 200, description: 'The weights are set.', schema: SetLossWeightResponse },
  errors: {
    400: {
      description: 'The request is not valid, or there is no such interaction or range.',
      reasons: [
        'request_invalid',
        'interaction_not_found',
        'loss_weight_invalid',
        'loss_range_invalid',
        'session_id_missing',
      ],
    },
    ...changeRefusals,
  },
});

export const endSession = endpoint({
  method: 'POST',
  path: '/rl/end_session',
  operationId: 'endSession',
  tag: 'episodes',
  summary: 'End a session',
  description: 'Running model calls get a bounded time to finish and are then aborted. Idempotent.',
  access: forSession,
  body: EndSessionRequest,
  bodyRequired: false,
  success: { status: 200, description: 'The session has ended.', schema: EndSessionResponse },
  errors: {
    400: { description: 'The request is not valid.', reasons: ['request_invalid', 'session_id_missing'] },
    ...ownRefusals,
    409: { description: 'The idempotency key was used with another request.', reasons: ['idempotency_key_reused'] },
  },
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/rl/sessions',
  operationId: 'listSessions',
  tag: 'sessions',
  summary: 'List sessions',
  access: forReaders,
  query: z.object({
    task_id: taskId.optional().describe('Only sessions of this task.'),
    state: SessionState.optional().describe('Only sessions in this state.'),
    text: z.string().max(300).optional().describe('Only sessions whose id has this text, whatever its case.'),
    order: z.enum(['oldest', 'newest']).default('oldest').describe('By their start.'),
    limit: queryInteger(1, 1000).optional().describe('Maximum number of sessions. Default: all.'),
    cursor,
  }),
  success: { status: 200, description: 'Sessions.', schema: SessionsListResponse },
  errors: refusals,
});

export const getSession = endpoint({
  method: 'GET',
  path: '/rl/sessions/{sessionId}',
  operationId: 'getSession',
  tag: 'sessions',
  summary: 'Get a session',
  access: forReaders,
  params,
  success: { status: 200, description: 'The session with its tree.', schema: SessionDetail },
  errors: sessionRefusals,
});

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/rl/sessions/{sessionId}',
  operationId: 'deleteSession',
  tag: 'sessions',
  summary: 'Delete a session with all its data',
  access: forAdmin,
  params,
  success: { status: 204, description: 'The session was deleted.' },
  errors: sessionRefusals,
});
