import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { runKey, type RunAddress } from '../../../parts/run/run-address';

export type Cause = Schemas['ExplanationCause'];
export type StartEstimate = Schemas['StartEstimate'];

/** Why a run, or a step of it, is not running. */
export function useExplanation(
  address: RunAddress,
  step: string | undefined,
  version: number,
): UseQueryResult<Schemas['DAGRunExplanation'], Failure> {
  const { name, runId, sub } = address;
  const query = step === undefined ? {} : { step };
  const path = { name, dagRunId: runId };
  return useQuery({
    queryKey: ['explain', runKey(address), step, version],
    placeholderData: (previous, before) => (before?.queryKey[2] === step ? previous : undefined),
    queryFn: ({ signal }) =>
      sub === undefined
        ? unwrap(api.GET('/dag-runs/{name}/{dagRunId}/explain', { params: { path, query }, signal }))
        : unwrap(
            api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/explain', {
              params: { path: { ...path, subDAGRunId: sub }, query },
              signal,
            }),
          ),
  });
}
