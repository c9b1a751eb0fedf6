import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import type { RunAddress } from './run-address';

/** Changes a run. The page follows the stream; data outside of the stream is read again. */
export function useRunMutation<Input, Result>(change: (input: Input) => Promise<Result>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries() });
}

const pathOf = ({ name, runId }: RunAddress) => ({ path: { name, dagRunId: runId } });

export function stopRun(run: RunAddress): Promise<unknown> {
  return unwrap(api.POST('/dag-runs/{name}/{dagRunId}/stop', { params: pathOf(run) }));
}

/** Executes steps of the run again; without a step, the unsuccessful ones. */
export function useRetryRun(run: RunAddress) {
  return useRunMutation((body: Omit<Schemas['RetryDAGRunRequest'], 'dagRunId'>) =>
    unwrap(
      api.POST('/dag-runs/{name}/{dagRunId}/retry', {
        params: pathOf(run),
        body: { ...body, dagRunId: run.runId, ...(run.sub === undefined ? {} : { subDAGRunId: run.sub }) },
      }),
    ),
  );
}

export function useDequeueRun(run: RunAddress) {
  return useRunMutation(() => unwrap(api.GET('/dag-runs/{name}/{dagRunId}/dequeue', { params: pathOf(run) })));
}

export function deleteRun(run: RunAddress): Promise<unknown> {
  return unwrap(api.DELETE('/dag-runs/{name}/{dagRunId}', { params: pathOf(run) }));
}
