import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import {
  AnswerClientRequest,
  ClientAnswerResponse,
  ClientConnectionsResponse,
  ClientRequestQuery,
  ClientRequestResponse,
} from './connection-schemas';

const tag = 'auth';

const requestInvalid = {
  description: 'The chat client is not registered, its request is not valid, or no chat client can sign in.',
  reasons: ['request_invalid', 'client_unknown', 'redirect_mismatch', 'client_request_invalid', 'clients_unavailable'],
};

export const listConnections = endpoint({
  method: 'GET',
  path: '/auth/connections',
  operationId: 'listConnections',
  tag,
  summary: 'List the chat clients that the current user has connected',
  description: 'An API key has none.',
  access: 'authenticated',
  success: { status: 200, description: 'The connections that have not ended.', schema: ClientConnectionsResponse },
  errors: { 401: errorAnswers.unauthenticated },
});

export const getClientRequest = endpoint({
  method: 'GET',
  path: '/auth/connections/request',
  operationId: 'getClientRequest',
  tag,
  summary: 'Describe the request of a chat client',
  access: 'authenticated',
  query: ClientRequestQuery,
  success: { status: 200, description: 'What the person is asked.', schema: ClientRequestResponse },
  errors: { 400: requestInvalid, 401: errorAnswers.unauthenticated },
});

export const answerClientRequest = endpoint({
  method: 'POST',
  path: '/auth/connections',
  operationId: 'answerClientRequest',
  audit: { category: 'auth', action: 'client_connect', recordsFailures: true },
  tag,
  summary: 'Connect a chat client, or refuse to',
  description: 'Only a person in a browser can: neither a token nor an API key connects a chat client.',
  access: 'authenticated',
  body: AnswerClientRequest,
  success: { status: 200, description: 'The next page.', schema: ClientAnswerResponse },
  errors: {
    400: requestInvalid,
    401: errorAnswers.unauthenticated,
    403: { description: 'The caller has no session of a browser.', reasons: ['session_required'] },
  },
});

export const deleteConnection = endpoint({
  method: 'DELETE',
  path: '/auth/connections/{connectionId}',
  operationId: 'deleteConnection',
  audit: { category: 'auth', action: 'client_disconnect' },
  tag,
  summary: 'Disconnect a chat client of the current user',
  description: 'All its tokens are worth nothing from then on.',
  access: 'authenticated',
  params: z.object({ connectionId: z.string().min(1).max(64).describe('Id of the connection.') }),
  success: { status: 204, description: 'The chat client is disconnected.' },
  errors: {
    401: errorAnswers.unauthenticated,
    404: { description: 'The current user has no such connection.', reasons: ['connection_not_found'] },
  },
});
