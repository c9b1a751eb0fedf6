import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export type RemoteNode = Schemas['RemoteNodeResponse'];

/** Nodes send no changes to this page, so their counts are read at this interval. */
const countsMs = 30_000;

export const nodesQuery = queryOptions<Schemas['RemoteNodeListResponse'], Failure>({
  queryKey: ['remote-nodes'],
  queryFn: ({ signal }) => unwrap(api.GET('/remote-nodes', { signal })),
});

/** Counts runs since midnight; without a name, those of this server. */
export const nodeCountsQuery = (remoteNode: string | undefined) =>
  queryOptions<Schemas['DAGRunCountsResponse'], Failure>({
    queryKey: ['run-counts', { remoteNode }],
    queryFn: ({ signal }) => unwrap(api.GET('/run-counts', { params: { query: { remoteNode } }, signal })),
    retry: false,
    ...(remoteNode === undefined ? {} : { refetchInterval: countsMs }),
  });
