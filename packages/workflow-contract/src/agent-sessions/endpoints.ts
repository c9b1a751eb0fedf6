import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { pageQuery } from '../common/paging';
import { localNode } from '../common/parameters';
import {
  AgentChatRequest,
  AgentSessionDetailResponse,
  AgentStatusResponse,
  AgentUserPromptResponse,
  CreateAgentSessionRequest,
  CreateAgentSessionResponse,
  ListAgentSessionsResponse,
} from './schemas';

const tag = 'agent';
// Everyone has sessions of their own; what the agent may do there is what they may.
const access = 'authenticated';
const path = '/agent/sessions';
const params = z.object({ sessionId: z.string().min(1).max(64).describe('Id of the session.') });
const query = z.object({ remoteNode: localNode });
const { unauthenticated } = errorAnswers;
const forbidden = {
  description: 'The scopes or the surfaces of the API key do not permit this.',
  reasons: ['scope_missing', 'surface_missing'],
} as const;
const invalid = {
  description: 'The request is not valid, or it is meant for another node.',
  reasons: ['request_invalid', 'remote_node_unsupported'],
} as const;
const unusable = {
  description: 'The request is not valid, the node is not this one, or there is no such soul.',
  reasons: ['request_invalid', 'remote_node_unknown', 'agent_soul_unknown'],
} as const;
const missing = {
  description: 'The caller has no session of this id, or the agent is disabled.',
  reasons: ['agent_session_not_found', 'agent_disabled'],
} as const;
const disabled = { description: 'The agent is disabled.', reasons: ['agent_disabled'] } as const;
const noModel = { description: 'There is no model that can be asked.', reasons: ['agent_model_missing'] } as const;
const errors = { 400: invalid, 401: unauthenticated, 403: forbidden, 404: missing } as const;

export const createAgentSession = endpoint({
  method: 'POST',
  path,
  operationId: 'createAgentSession',
  audit: { category: 'agent', action: 'agent_session_create' },
  tag,
  summary: 'Start a session with the agent',
  description: 'The reply is written afterwards; the session, or its topic of the event stream, shows it.',
  access,
  query,
  body: CreateAgentSessionRequest,
  success: { status: 201, description: 'The message was stored.', schema: CreateAgentSessionResponse },
  errors: {
    ...errors,
    400: unusable,
    404: disabled,
    409: { description: 'Somebody else has a session of this id.', reasons: ['agent_session_taken'] },
    503: noModel,
  },
});

export const listAgentSessions = endpoint({
  method: 'GET',
  path,
  operationId: 'listAgentSessions',
  tag,
  summary: 'List the sessions of the caller',
  access,
  query: z.object({ remoteNode: localNode, ...pageQuery }),
  success: { status: 200, description: 'A page of sessions.', schema: ListAgentSessionsResponse },
  errors: { ...errors, 404: disabled },
});

export const getAgentSession = endpoint({
  method: 'GET',
  path: `${path}/{sessionId}`,
  operationId: 'getAgentSession',
  tag,
  summary: 'Get a session with its messages',
  access,
  params,
  query,
  success: { status: 200, description: 'The session.', schema: AgentSessionDetailResponse },
  errors,
});

export const chatAgentSession = endpoint({
  method: 'POST',
  path: `${path}/{sessionId}/chat`,
  operationId: 'chatAgentSession',
  audit: { category: 'agent', action: 'agent_session_chat' },
  tag,
  summary: 'Write to the agent',
  description:
    'Withdraws a prompt that was not answered. While the agent works, it reads the message after its next step.',
  access,
  params,
  query,
  body: AgentChatRequest,
  success: { status: 202, description: 'The message was stored.', schema: AgentStatusResponse },
  errors: { ...errors, 400: unusable, 503: noModel },
});

export const cancelAgentSession = endpoint({
  method: 'POST',
  path: `${path}/{sessionId}/cancel`,
  operationId: 'cancelAgentSession',
  audit: { category: 'agent', action: 'agent_session_cancel' },
  tag,
  summary: 'Stop the agent',
  description: 'Runs that it has started go on.',
  access,
  params,
  query,
  success: { status: 200, description: 'The agent does nothing more.', schema: AgentStatusResponse },
  errors,
});

export const respondAgentSession = endpoint({
  method: 'POST',
  path: `${path}/{sessionId}/respond`,
  operationId: 'respondAgentSession',
  audit: { category: 'agent', action: 'agent_session_respond' },
  tag,
  summary: 'Answer a prompt of the agent',
  access,
  params,
  query,
  body: AgentUserPromptResponse,
  success: { status: 200, description: 'The answer was stored.', schema: AgentStatusResponse },
  errors: {
    ...errors,
    400: {
      description: 'The request is not valid, the node is not this one, or the answer is none that the prompt allows.',
      reasons: ['request_invalid', 'remote_node_unsupported', 'agent_answer_invalid'],
    },
    410: { description: 'The prompt was answered or withdrawn.', reasons: ['agent_prompt_gone'] },
  },
});
