import { queryOptions } from '@tanstack/react-query';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { api, type Schemas } from '../../api/client';

/** The profiles that the person may see. */
export const profilesQuery = queryOptions<Schemas['RuntimeProfileListResponse'], Failure>({
  queryKey: ['profiles'],
  queryFn: ({ signal }) => unwrap(api.GET('/profiles', { signal })),
});
