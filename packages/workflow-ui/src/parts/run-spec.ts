import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export interface RunSpecAddress {
  /** Of the DAG. */
  readonly name: string;
  readonly runId: string;
}

/** The text of the spec that a run has. */
export function useRunSpec({ name, runId }: RunSpecAddress): UseQueryResult<string, Failure> {
  return useQuery<string, Failure>({
    queryKey: ['run-spec', name, runId],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const path = { name, dagRunId: runId };
      return (await unwrap(api.GET('/dag-runs/{name}/{dagRunId}/spec', { params: { path }, signal }))).spec;
    },
  });
}
