import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers, SuccessResponse } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import { syncAnswers, syncErrors } from './answers';
import {
  SyncDeleteRequest,
  SyncItemDiffResponse,
  SyncMoveRequest,
  SyncPublishRequest,
  SyncResultResponse,
} from './schemas';

const tag = 'sync';
const access = rolesFrom('developer');
const path = '/sync/items/{itemId}';
const params = z.object({
  itemId: z.string().min(1).max(600).describe('Path of the file without extension, as one encoded segment.'),
});
const query = z.object({ remoteNode });
const { unauthenticated, forbidden } = errorAnswers;
const { invalid, statusInvalid, publishing, missing, upstream, unavailable } = syncAnswers;
const conflict = {
  description: 'The repository has a newer version of the file; `details` say which.',
  reasons: ['sync_conflict', 'sync_item_exists'],
} as const;
const done = { status: 200, description: 'It is done.', schema: SuccessResponse } as const;
const errors = { ...syncErrors, 404: missing } as const;

export const getSyncItemDiff = endpoint({
  method: 'GET',
  path: `${path}/diff`,
  operationId: 'getSyncItemDiff',
  tag,
  summary: 'Get the three versions of a file',
  access: 'authenticated',
  params,
  query,
  success: { status: 200, description: 'The versions.', schema: SyncItemDiffResponse },
  errors: { 400: invalid, 401: unauthenticated, 404: missing, 502: upstream, 503: unavailable },
});

export const publishSyncItem = endpoint({
  method: 'POST',
  path: `${path}/publish`,
  operationId: 'publishSyncItem',
  audit: { category: 'sync', action: 'sync_publish' },
  tag,
  summary: 'Publish a file',
  access,
  params,
  query,
  body: SyncPublishRequest.default({ force: false }),
  bodyRequired: false,
  success: { status: 200, description: 'What was published.', schema: SyncResultResponse },
  errors: { ...errors, 400: statusInvalid, 403: publishing, 409: conflict },
});

export const discardSyncItemChanges = endpoint({
  method: 'POST',
  path: `${path}/discard`,
  operationId: 'discardSyncItemChanges',
  audit: { category: 'sync', action: 'sync_discard' },
  tag,
  summary: 'Make a file what it is in the repository as last fetched',
  access,
  params,
  query,
  success: done,
  errors: { ...errors, 400: statusInvalid },
});

export const forgetSyncItem = endpoint({
  method: 'POST',
  path: `${path}/forget`,
  operationId: 'forgetSyncItem',
  audit: { category: 'sync', action: 'sync_forget' },
  tag,
  summary: 'Forget with what a file was last synchronised',
  description: 'For missing and untracked files and conflicts. No file is changed.',
  access,
  params,
  query,
  success: done,
  errors: { 400: statusInvalid, 401: unauthenticated, 403: forbidden, 404: missing, 503: unavailable },
});

export const deleteSyncItem = endpoint({
  method: 'POST',
  path: `${path}/delete`,
  operationId: 'deleteSyncItem',
  audit: { category: 'sync', action: 'sync_delete' },
  tag,
  summary: 'Delete a file here and in the repository',
  access,
  params,
  query,
  body: SyncDeleteRequest.default({ force: false }),
  bodyRequired: false,
  success: done,
  errors: { ...errors, 400: statusInvalid, 403: publishing },
});

export const moveSyncItem = endpoint({
  method: 'POST',
  path: `${path}/move`,
  operationId: 'moveSyncItem',
  audit: { category: 'sync', action: 'sync_move' },
  tag,
  summary: 'Rename a file here and in the repository',
  access,
  params,
  query,
  body: SyncMoveRequest,
  success: done,
  errors: { ...errors, 400: statusInvalid, 403: publishing, 409: conflict },
});
