import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export type User = Schemas['User'];

export const usersQuery = queryOptions<Schemas['UsersListResponse'], Failure>({
  queryKey: ['users'],
  queryFn: ({ signal }) => unwrap(api.GET('/users', { signal })),
});
