import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

/** The visible workspaces, by name. */
export const workspacesQuery = queryOptions<Schemas['WorkspaceListResponse'], Failure>({
  queryKey: ['workspaces'],
  queryFn: ({ signal }) => unwrap(api.GET('/workspaces', { signal })),
});
