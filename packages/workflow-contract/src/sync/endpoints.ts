import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers, SuccessResponse } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import { syncAnswers, syncErrors } from './answers';
import {
  SyncConfigResponse,
  SyncConfigUpdateRequest,
  SyncConnectionTestResponse,
  SyncDeleteBatchRequest,
  SyncDeletedResponse,
  SyncDeleteMissingRequest,
  SyncForgottenResponse,
  SyncPublishAllRequest,
  SyncResultResponse,
  SyncStatusResponse,
  SyncWebhookRequest,
} from './schemas';

const tag = 'sync';
const access = rolesFrom('developer');
const query = z.object({ remoteNode });
const { unauthenticated, forbidden } = errorAnswers;
const { invalid, statusInvalid, publishing, missing, unavailable } = syncAnswers;
const result = { status: 200, description: 'What was done.', schema: SyncResultResponse } as const;

export const getSyncStatus = endpoint({
  method: 'GET',
  path: '/sync/status',
  operationId: 'getSyncStatus',
  tag,
  summary: 'Compare all files with the repository as last fetched',
  access: 'authenticated',
  query,
  success: { status: 200, description: 'The files the caller sees.', schema: SyncStatusResponse },
  errors: { 400: invalid, 401: unauthenticated },
});

export const syncPull = endpoint({
  method: 'POST',
  path: '/sync/pull',
  operationId: 'syncPull',
  audit: { category: 'sync', action: 'sync_pull' },
  tag,
  summary: 'Bring what is new in the repository',
  description: 'Files that were changed here are left as they are; those changed on both sides are conflicts.',
  access,
  query,
  success: result,
  errors: syncErrors,
});

export const syncPublishAll = endpoint({
  method: 'POST',
  path: '/sync/publish-all',
  operationId: 'syncPublishAll',
  audit: { category: 'sync', action: 'sync_publish' },
  tag,
  summary: 'Publish changes in one commit',
  description: 'Conflicts are left as they are and listed.',
  access,
  query,
  body: SyncPublishAllRequest.default({}),
  bodyRequired: false,
  success: result,
  errors: { ...syncErrors, 400: statusInvalid, 403: publishing, 404: missing },
});

export const syncTestConnection = endpoint({
  method: 'POST',
  path: '/sync/test-connection',
  operationId: 'syncTestConnection',
  audit: 'no-change',
  tag,
  summary: 'Reach the repository',
  access: 'authenticated',
  query,
  success: { status: 200, description: 'Whether it was reached.', schema: SyncConnectionTestResponse },
  errors: { 400: invalid, 401: unauthenticated },
});

export const getSyncConfig = endpoint({
  method: 'GET',
  path: '/sync/config',
  operationId: 'getSyncConfig',
  tag,
  summary: 'Get the settings of Git sync',
  access: 'authenticated',
  query,
  success: { status: 200, description: 'The settings.', schema: SyncConfigResponse },
  errors: { 400: invalid, 401: unauthenticated },
});

export const updateSyncConfig = endpoint({
  method: 'PUT',
  path: '/sync/config',
  operationId: 'updateSyncConfig',
  audit: { category: 'sync', action: 'sync_configure' },
  tag,
  summary: 'Change the settings of Git sync',
  description: 'From then on the settings of the environment do not count.',
  access: ['admin'],
  query,
  body: SyncConfigUpdateRequest,
  success: { status: 200, description: 'The settings.', schema: SyncConfigResponse },
  errors: {
    400: {
      description: 'The settings are not valid, or another host needs its credential to be given again.',
      reasons: ['request_invalid', 'remote_node_unknown', 'sync_config_invalid', 'sync_credential_needed'],
    },
    401: unauthenticated,
    403: forbidden,
  },
});

export const syncDeleteMissing = endpoint({
  method: 'POST',
  path: '/sync/delete-missing',
  operationId: 'syncDeleteMissing',
  audit: { category: 'sync', action: 'sync_delete' },
  tag,
  summary: 'Delete from the repository what was deleted here',
  access,
  query,
  body: SyncDeleteMissingRequest.default({}),
  bodyRequired: false,
  success: { status: 200, description: 'What was deleted.', schema: SyncDeletedResponse },
  errors: { ...syncErrors, 403: publishing },
});

export const syncDeleteBatch = endpoint({
  method: 'POST',
  path: '/sync/delete-batch',
  operationId: 'syncDeleteBatch',
  audit: { category: 'sync', action: 'sync_delete' },
  tag,
  summary: 'Delete files here and in the repository',
  description: 'All or none.',
  access,
  query,
  body: SyncDeleteBatchRequest,
  success: { status: 200, description: 'What was deleted.', schema: SyncDeletedResponse },
  errors: { ...syncErrors, 400: statusInvalid, 403: publishing, 404: missing },
});

export const syncCleanup = endpoint({
  method: 'POST',
  path: '/sync/cleanup',
  operationId: 'syncCleanup',
  audit: { category: 'sync', action: 'sync_forget' },
  tag,
  summary: 'Forget all missing files',
  description: 'What the repository still has comes back with the next pull.',
  access,
  query,
  success: { status: 200, description: 'What was forgotten.', schema: SyncForgottenResponse },
  errors: { 400: invalid, 401: unauthenticated, 403: forbidden, 503: unavailable },
});

export const receiveSyncWebhook = endpoint({
  method: 'POST',
  path: '/sync/webhook',
  operationId: 'receiveSyncWebhook',
  audit: { category: 'sync', action: 'sync_webhook', recordsFailures: true },
  tag,
  summary: 'Pull after a push',
  description:
    'For push hooks of GitHub, Gitea and Forgejo ("X-Hub-Signature-256") and of GitLab ("X-Gitlab-Token"). The pull follows the response.',
  access: 'public',
  maxBodyBytes: 26_214_400,
  body: SyncWebhookRequest.default({}),
  bodyRequired: false,
  success: { status: 202, description: 'The server pulls.', schema: SuccessResponse },
  errors: {
    400: invalid,
    401: {
      description: 'The signature is missing or wrong, or there is no secret to check it with.',
      reasons: ['webhook_token_invalid'],
    },
    503: unavailable,
  },
});
