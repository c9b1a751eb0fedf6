import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export type SyncItem = Schemas['SyncItem'];
export type SyncConfig = Schemas['SyncConfigResponse'];
export type SyncConfigUpdate = Schemas['SyncConfigUpdateRequest'];

export const syncStatusQuery = queryOptions<Schemas['SyncStatusResponse'], Failure>({
  queryKey: ['sync', 'status'],
  queryFn: ({ signal }) => unwrap(api.GET('/sync/status', { signal })),
});

export const syncConfigQuery = queryOptions<SyncConfig, Failure>({
  queryKey: ['sync', 'config'],
  queryFn: ({ signal }) => unwrap(api.GET('/sync/config', { signal })),
});

export const syncDiffQuery = (itemId: string) =>
  queryOptions<Schemas['SyncItemDiffResponse'], Failure>({
    queryKey: ['sync', 'diff', itemId],
    queryFn: ({ signal }) => unwrap(api.GET('/sync/items/{itemId}/diff', { params: { path: { itemId } }, signal })),
  });

/** Query keys of the data that changes with synchronised files. */
export const changedBySync = ['sync', 'dags', 'dag', 'docs'];
