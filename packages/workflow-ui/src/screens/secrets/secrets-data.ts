import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import type { SecretsSearch } from './search';

export type Secret = Schemas['ListedSecret'];

export const secretsPerPage = 100;

/** A page of the secrets of a workspace, or of the shared ones. */
export const secretsQuery = ({ workspace, page = 1 }: SecretsSearch) =>
  queryOptions<Schemas['SecretListResponse'], Failure>({
    queryKey: ['secrets', { workspace, page }],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/secrets', {
          params: {
            query: {
              ...(workspace === undefined ? {} : { workspace }),
              limit: secretsPerPage,
              offset: (page - 1) * secretsPerPage,
            },
          },
          signal,
        }),
      ),
  });
