import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export type RemoteNode = Schemas['RemoteNodeResponse'];

/** Of nodes, which send no changes to this page. */
const countsMs = 30_000;

export const nodesQuery = queryOptions<Schemas['RemoteNodeListResponse'], Failure>({
  queryKey: ['remote-nodes'],
  queryFn: ({ signal }) => unwrap(api.GET('/remote-nodes', { signal })),
});

/** Runs since midnight, of this server without a name. */
export const nodeCountsQuery = (remoteNode: string | undefined) =>
  queryOptions<Schemas['DAGRunCountsResponse'], Failure>({
    queryKey: ['run-counts', { remoteNode }],
    queryFn: ({ signal }) => unwrap(api.GET('/run-counts', { params: { query: { remoteNode } }, signal })),
    retry: false,
    ...(remoteNode === undefined ? {} : { refetchInterval: countsMs }),
  });
