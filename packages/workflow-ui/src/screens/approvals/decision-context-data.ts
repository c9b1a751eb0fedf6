import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import type { DecisionAddress } from '../../api/open-decisions';

const logLines = 40;

/** Reads the end of the step's log. */
export function stepLogQuery(address: DecisionAddress) {
  const { name, dagRunId, subDAGRunId, step: stepName } = address;
  const query = { tail: logLines };
  return queryOptions<Schemas['Log'], Failure>({
    queryKey: ['decision', 'log', name, dagRunId, subDAGRunId, stepName],
    queryFn: ({ signal }) =>
      unwrap(
        subDAGRunId === undefined
          ? api.GET('/dag-runs/{name}/{dagRunId}/steps/{stepName}/log', {
              params: { path: { name, dagRunId, stepName }, query },
              signal,
            })
          : api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log', {
              params: { path: { name, dagRunId, subDAGRunId, stepName }, query },
              signal,
            }),
      ),
  });
}

export function outputsQuery({ name, dagRunId }: DecisionAddress) {
  return queryOptions<Schemas['DAGRunOutputs'], Failure>({
    queryKey: ['decision', 'outputs', name, dagRunId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dag-runs/{name}/{dagRunId}/outputs', { params: { path: { name, dagRunId } }, signal })),
  });
}

/** Reads the run with the step. */
export function runOfDecisionQuery({ name, dagRunId, subDAGRunId }: DecisionAddress) {
  return queryOptions<Schemas['DAGRunDetailsResponse'], Failure>({
    queryKey: ['decision', 'run', name, dagRunId, subDAGRunId],
    queryFn: ({ signal }) =>
      unwrap(
        subDAGRunId === undefined
          ? api.GET('/dag-runs/{name}/{dagRunId}', { params: { path: { name, dagRunId } }, signal })
          : api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}', {
              params: { path: { name, dagRunId, subDAGRunId } },
              signal,
            }),
      ),
  });
}
