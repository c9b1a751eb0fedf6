import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import type { RunAddress } from '../../parts/run/run-address';

const paramsOf = ({ name, runId }: RunAddress) => ({ path: { name, dagRunId: runId } });

/** Reads the published values of the steps. */
export function useOutputs(address: RunAddress, version: number): UseQueryResult<Schemas['DAGRunOutputs'], Failure> {
  return useQuery<Schemas['DAGRunOutputs'], Failure>({
    queryKey: ['outputs', address.name, address.runId, version],
    placeholderData: (previous) => previous,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dag-runs/{name}/{dagRunId}/outputs', { params: paramsOf(address), signal })),
  });
}

/** Reads the variables of the steps with their sources; the server masks secrets. */
export function useEnvironment(address: RunAddress): UseQueryResult<Schemas['DAGRunEnvironmentResponse'], Failure> {
  return useQuery<Schemas['DAGRunEnvironmentResponse'], Failure>({
    queryKey: ['environment', address.name, address.runId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dag-runs/{name}/{dagRunId}/environment', { params: paramsOf(address), signal })),
  });
}

const shownEvents = 200;

/** Reads the events of the run, newest first. */
export function useEvents(
  { name, runId }: RunAddress,
  version: number,
): UseQueryResult<Schemas['EventLogsResponse'], Failure> {
  return useQuery<Schemas['EventLogsResponse'], Failure>({
    queryKey: ['events', name, runId, version],
    placeholderData: (previous) => previous,
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/event-logs', { params: { query: { dagName: name, dagRunId: runId, limit: shownEvents } }, signal }),
      ),
  });
}
