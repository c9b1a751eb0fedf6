import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { localNode } from '../common/parameters';
import { queryInteger } from '../common/query-integer';
import {
  CreateSecretRequest,
  SecretListResponse,
  SecretResponse,
  UpdateSecretRequest,
  WriteSecretVersionRequest,
} from './schemas';

const tag = 'secrets';
// The role in the workspace of the secret counts, see `objectRoles`.
const access = 'authenticated';
const params = z.object({ secretId: z.string().min(1).max(64).describe('Id of the secret.') });
const query = z.object({ remoteNode: localNode });
const { unauthenticated, forbidden } = errorAnswers;
const invalid = {
  description: 'The request is not valid, or it is meant for another node.',
  reasons: ['request_invalid', 'remote_node_unsupported'],
} as const;
const valueInvalid = {
  description: 'The request or the value is not valid, or it is meant for another node.',
  reasons: ['request_invalid', 'secret_value_unusable', 'remote_node_unsupported'],
} as const;
const notFound = { description: 'The secret is unknown or not visible.', reasons: ['secret_not_found'] } as const;
const workspaceNotFound = {
  description: 'The workspace is unknown or not visible.',
  reasons: ['workspace_not_found'],
} as const;
const success = { status: 200, description: 'The secret.', schema: SecretResponse } as const;
const objectErrors = { 400: invalid, 401: unauthenticated, 403: forbidden, 404: notFound } as const;

export const listSecrets = endpoint({
  method: 'GET',
  path: '/secrets',
  operationId: 'listSecrets',
  tag,
  summary: 'List the secrets of a workspace',
  access,
  query: z.object({
    remoteNode: localNode,
    workspace: z.string().max(64).optional().describe('Name of a workspace; omitted, empty or "global" for all.'),
    limit: queryInteger(1, 500).default(100).describe('Maximum number: 1 to 500. Default 100.'),
    offset: queryInteger(0, 1_000_000).default(0).describe('How many come before the page. Default 0.'),
  }),
  success: { status: 200, description: 'A page of secrets.', schema: SecretListResponse },
  errors: {
    400: invalid,
    401: unauthenticated,
    403: forbidden,
    404: workspaceNotFound,
    503: { description: 'The folder of DAGs is still being read for the first time.', reasons: ['dags_loading'] },
  },
});

export const createSecret = endpoint({
  method: 'POST',
  path: '/secrets',
  operationId: 'createSecret',
  audit: { category: 'secret', action: 'secret_create' },
  tag,
  summary: 'Create a secret',
  description: 'DAGs of its workspace use it by `secrets: [{name: VARIABLE, ref: REF}]`.',
  access,
  query,
  body: CreateSecretRequest,
  success: { status: 201, description: 'The secret was created.', schema: SecretResponse },
  errors: {
    400: valueInvalid,
    401: unauthenticated,
    403: forbidden,
    404: workspaceNotFound,
    409: { description: 'The workspace has a secret with this ref.', reasons: ['secret_ref_taken'] },
  },
});

export const getSecret = endpoint({
  method: 'GET',
  path: '/secrets/{secretId}',
  operationId: 'getSecret',
  tag,
  summary: 'Get a secret without its value',
  access,
  params,
  query,
  success,
  errors: objectErrors,
});

export const updateSecret = endpoint({
  method: 'PATCH',
  path: '/secrets/{secretId}',
  operationId: 'updateSecret',
  audit: { category: 'secret', action: 'secret_update' },
  tag,
  summary: 'Change the description of a secret',
  access,
  params,
  query,
  body: UpdateSecretRequest,
  success,
  errors: objectErrors,
});

export const deleteSecret = endpoint({
  method: 'DELETE',
  path: '/secrets/{secretId}',
  operationId: 'deleteSecret',
  audit: { category: 'secret', action: 'secret_delete' },
  tag,
  summary: 'Delete a secret with all its values',
  access,
  params,
  query,
  success: { status: 204, description: 'The secret was deleted.' },
  errors: objectErrors,
});

export const writeSecretVersion = endpoint({
  method: 'POST',
  path: '/secrets/{secretId}/versions',
  operationId: 'writeSecretVersion',
  audit: { category: 'secret', action: 'secret_write' },
  tag,
  summary: 'Give a secret a new value',
  description: 'Runs that start or resume from now on get it. The newest ten values stay usable by `ref: REF@VERSION`.',
  access,
  params,
  query,
  body: WriteSecretVersionRequest,
  success,
  errors: {
    ...objectErrors,
    400: valueInvalid,
    409: { description: 'The secret was changed at the same time.', reasons: ['secret_changed'] },
  },
});

export const disableSecret = endpoint({
  method: 'POST',
  path: '/secrets/{secretId}/disable',
  operationId: 'disableSecret',
  audit: { category: 'secret', action: 'secret_disable' },
  tag,
  summary: 'Withhold a secret from runs',
  access,
  params,
  query,
  success,
  errors: objectErrors,
});

export const enableSecret = endpoint({
  method: 'POST',
  path: '/secrets/{secretId}/enable',
  operationId: 'enableSecret',
  audit: { category: 'secret', action: 'secret_enable' },
  tag,
  summary: 'Give a secret to runs again',
  access,
  params,
  query,
  success,
  errors: objectErrors,
});
