import { useNavigate } from '@tanstack/react-router';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

/** Reads the parameters of a DAG as a JSON Schema. */
export function useParamsSchema(fileName: string, enabled = true) {
  return useQuery<Schemas['DAGParamsSchemaResponse'], Failure>({
    queryKey: ['params-schema', fileName],
    enabled,
    // The form must not offer parameters that the file no longer has.
    staleTime: 0,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dags/{fileName}/params-schema', { params: { path: { fileName } }, signal })),
  });
}

export interface StartRequest {
  readonly fileName: string;
  readonly body: Schemas['ExecuteDAGRequest'];
}

export function useStart() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ fileName, body }: StartRequest) =>
      unwrap(api.POST('/dags/{fileName}/start', { params: { path: { fileName } }, body })),
    onSettled: () => client.invalidateQueries({ queryKey: ['live'] }),
  });
}

/** Returns the function that leads to a run and the live output of its steps. */
export function useFollowRun() {
  const navigate = useNavigate();
  return ({ name, dagRunId }: { readonly name: string; readonly dagRunId: string }): void =>
    void navigate({
      to: '/dag-runs/$name/$runId',
      params: { name, runId: dagRunId },
      search: { tab: 'log', follow: true },
    });
}

/** Stops a run that was just started. */
export function useStopStarted() {
  return useMutation({
    mutationFn: ({ name, dagRunId }: { readonly name: string; readonly dagRunId: string }) =>
      unwrap(api.POST('/dag-runs/{name}/{dagRunId}/stop', { params: { path: { name, dagRunId } } })),
  });
}
