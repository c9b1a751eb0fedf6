import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import {
  ApiKeyResponse,
  ApiKeysListResponse,
  CreateApiKeyRequest,
  CreateApiKeyResponse,
  UpdateApiKeyRequest,
} from './schemas';

const tag = 'api-keys';
const access = ['admin'] as const;
const params = z.object({ keyId: z.string().min(1).max(64).describe('Id of the API key.') });

const unauthenticated = errorAnswers.unauthenticated;
const forbidden = errorAnswers.forbidden;
const notFound = { description: 'There is no such API key.', reasons: ['api_key_not_found'] } as const;
const nameTaken = { description: 'The name is taken.', reasons: ['api_key_name_taken'] } as const;
const invalid = {
  description: 'The role, the workspace access or the owner is not valid, or the expiry is in the past.',
  reasons: ['request_invalid', 'workspace_access_invalid', 'scope_unknown', 'key_owner_invalid', 'expiry_in_past'],
} as const;

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api-keys',
  operationId: 'listAPIKeys',
  tag,
  summary: 'List all API keys',
  access,
  success: { status: 200, description: 'All API keys, ordered by name.', schema: ApiKeysListResponse },
  errors: { 401: unauthenticated, 403: forbidden },
});

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api-keys',
  operationId: 'createAPIKey',
  audit: { category: 'api_key', action: 'api_key_create' },
  tag,
  summary: 'Create an API key',
  description: 'The key is returned only in this response.',
  access,
  body: CreateApiKeyRequest,
  success: { status: 201, description: 'The new API key.', schema: CreateApiKeyResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 409: nameTaken },
});

export const getApiKey = endpoint({
  method: 'GET',
  path: '/api-keys/{keyId}',
  operationId: 'getAPIKey',
  tag,
  summary: 'Get an API key',
  access,
  params,
  success: { status: 200, description: 'The API key.', schema: ApiKeyResponse },
  errors: { 401: unauthenticated, 403: forbidden, 404: notFound },
});

export const updateApiKey = endpoint({
  method: 'PATCH',
  path: '/api-keys/{keyId}',
  operationId: 'updateAPIKey',
  audit: { category: 'api_key', action: 'api_key_update' },
  tag,
  summary: 'Update an API key',
  access,
  params,
  body: UpdateApiKeyRequest,
  success: { status: 200, description: 'The updated API key.', schema: ApiKeyResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 404: notFound, 409: nameTaken },
});

export const rotateApiKey = endpoint({
  method: 'POST',
  path: '/api-keys/{keyId}/rotate',
  operationId: 'rotateAPIKey',
  audit: { category: 'api_key', action: 'api_key_rotate' },
  tag,
  summary: 'Replace the key of an API key',
  description: 'The new key is returned only in this response; the old one becomes invalid at once. All else stays.',
  access,
  params,
  success: { status: 200, description: 'The API key with its new key.', schema: CreateApiKeyResponse },
  errors: { 401: unauthenticated, 403: forbidden, 404: notFound },
});

export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/api-keys/{keyId}',
  operationId: 'deleteAPIKey',
  audit: { category: 'api_key', action: 'api_key_delete' },
  tag,
  summary: 'Revoke an API key',
  description: 'The key becomes invalid at once.',
  access,
  params,
  success: { status: 204, description: 'The key was revoked.' },
  errors: { 401: unauthenticated, 403: forbidden, 404: notFound },
});
