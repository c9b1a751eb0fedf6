import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { useRunListMessages } from './run-list-messages';
import type { RunFilter } from './run-query';

/** How many runs match, in words; counted anew when the newest run is another one. */
export function useRunCount(filter: RunFilter, newest: string | undefined): string | undefined {
  const t = useRunListMessages();
  const { data } = useQuery<Schemas['DAGRunCountsResponse'], Failure>({
    queryKey: ['run-counts', filter, newest],
    queryFn: ({ signal }) => unwrap(api.GET('/run-counts', { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return undefined;
  return t(data.isComplete ? 'runs.count' : 'runs.countMore', { count: data.total });
}
