import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { liveStream } from '../../api/live-stream';
import { runKey, type RunAddress } from './run-address';

export interface LogTailOptions {
  readonly address: RunAddress;
  readonly step: string;
  /** Whether more lines may come. */
  readonly isActive: boolean;
  /** Changes whenever the step has changed. */
  readonly version: string;
}

const shownLines = 20;

/** Reads the last lines of both streams of a step. The stream of events reports new ones. */
export function useLogTail(options: LogTailOptions): UseQueryResult<Schemas['LogLinesResponse'], Failure> {
  const { address, step, isActive, version } = options;
  const client = useQueryClient();
  const run = runKey(address);
  const { name, runId, sub } = address;
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['log-tail', run, step] });
  }, [client, run, step, version]);
  useEffect(() => {
    if (!isActive || sub !== undefined) return undefined;
    return liveStream.subscribe(
      `steplog:${name}/${runId}/${step}`,
      () => void client.invalidateQueries({ queryKey: ['log-tail', run, step] }),
    );
  }, [client, isActive, name, run, runId, step, sub]);
  return useQuery<Schemas['LogLinesResponse'], Failure>({
    queryKey: ['log-tail', run, step],
    queryFn: ({ signal }) => readTail(address, step, signal),
    placeholderData: (previous, query) => (query?.queryKey[2] === step ? keepPreviousData(previous) : undefined),
  });
}

function readTail(
  { name, runId, sub }: RunAddress,
  stepName: string,
  signal: AbortSignal,
): Promise<Schemas['LogLinesResponse']> {
  const query = { tail: shownLines, stream: 'both' } as const;
  const path = { name, dagRunId: runId, stepName };
  if (sub === undefined) {
    return unwrap(
      api.GET('/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/lines', { params: { path, query }, signal }),
    );
  }
  return unwrap(
    api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/lines', {
      params: { path: { ...path, subDAGRunId: sub }, query },
      signal,
    }),
  );
}
