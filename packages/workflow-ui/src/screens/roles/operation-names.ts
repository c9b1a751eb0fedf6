import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

interface DescribedOperation {
  readonly operationId?: string;
  readonly summary?: string;
}

/** What the operations are called in the description of the API, by id. */
export const operationNamesQuery = queryOptions<ReadonlyMap<string, string>, Failure>({
  queryKey: ['operation-names'],
  queryFn: async ({ signal }) => {
    const { paths = {} } = await unwrap(api.GET('/openapi.json', { signal }));
    const operations = Object.values(paths as Record<string, Record<string, DescribedOperation>>).flatMap((methods) =>
      Object.values(methods),
    );
    return new Map(operations.map(({ operationId = '', summary = operationId }) => [operationId, summary]));
  },
  staleTime: Infinity,
});
