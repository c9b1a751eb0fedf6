import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { CreateWorkerTokenRequest, CreateWorkerTokenResponse, WorkerTokensListResponse } from './schemas';

const tag = 'worker-tokens';
const access = ['admin'] as const;
const { unauthenticated, forbidden } = errorAnswers;

export const listWorkerTokens = endpoint({
  method: 'GET',
  path: '/worker-tokens',
  operationId: 'listWorkerTokens',
  tag,
  summary: 'List the worker tokens of this server',
  description: 'Those of the database are listed by the command `weir worker-token list`.',
  access,
  success: { status: 200, description: 'All worker tokens, ordered by name.', schema: WorkerTokensListResponse },
  errors: { 401: unauthenticated, 403: forbidden },
});

export const createWorkerToken = endpoint({
  method: 'POST',
  path: '/worker-tokens',
  operationId: 'createWorkerToken',
  audit: { category: 'worker_token', action: 'worker_token_create' },
  tag,
  summary: 'Create a worker token',
  description: 'The token is returned only in this response.',
  access,
  body: CreateWorkerTokenRequest,
  success: { status: 201, description: 'The new worker token.', schema: CreateWorkerTokenResponse },
  errors: {
    400: { description: 'The name or the labels are not valid.', reasons: ['request_invalid'] },
    401: unauthenticated,
    403: forbidden,
    409: { description: 'The name is taken.', reasons: ['worker_token_taken'] },
  },
});

export const revokeWorkerToken = endpoint({
  method: 'DELETE',
  path: '/worker-tokens/{name}',
  operationId: 'revokeWorkerToken',
  audit: { category: 'worker_token', action: 'worker_token_revoke' },
  tag,
  summary: 'Revoke a worker token',
  description: 'The token becomes invalid at once.',
  access,
  params: z.object({ name: z.string().min(1).max(64).describe('Name of the token.') }),
  success: { status: 204, description: 'The token was revoked.' },
  errors: {
    401: unauthenticated,
    403: forbidden,
    404: { description: 'There is no such worker token.', reasons: ['worker_token_not_found'] },
  },
});
