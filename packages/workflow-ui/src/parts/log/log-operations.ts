import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import type { LogAddress } from './log-address';

type LinesQuery = { readonly limit: number } & ({ readonly line: number } | { readonly tail: number });

/** Reads lines of a log of any of the four kinds. */
export function readLogLines(
  log: LogAddress,
  query: LinesQuery,
  signal: AbortSignal,
): Promise<Schemas['LogLinesResponse']> {
  const { name, dagRunId, subDAGRunId, stepName } = log;
  const stepQuery = { ...query, ...readSelection(log) };
  if (stepName === undefined) {
    return subDAGRunId === undefined
      ? unwrap(
          api.GET('/dag-runs/{name}/{dagRunId}/log/lines', { params: { path: { name, dagRunId }, query }, signal }),
        )
      : unwrap(
          api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/lines', {
            params: { path: { name, dagRunId, subDAGRunId }, query },
            signal,
          }),
        );
  }
  return subDAGRunId === undefined
    ? unwrap(
        api.GET('/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/lines', {
          params: { path: { name, dagRunId, stepName }, query: stepQuery },
          signal,
        }),
      )
    : unwrap(
        api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/lines', {
          params: { path: { name, dagRunId, subDAGRunId, stepName }, query: stepQuery },
          signal,
        }),
      );
}

export interface LogSearchQuery {
  readonly query: string;
  readonly regex: 'true' | 'false';
  readonly ignoreCase: 'true' | 'false';
  readonly context: number;
  readonly limit: number;
  readonly cursor?: string;
}

/** Searches a log of any of the four kinds. */
export function searchLog(
  log: LogAddress,
  query: LogSearchQuery,
  signal: AbortSignal,
): Promise<Schemas['LogSearchResponse']> {
  const { name, dagRunId, subDAGRunId, stepName } = log;
  const stepQuery = { ...query, ...readSelection(log) };
  if (stepName === undefined) {
    return subDAGRunId === undefined
      ? unwrap(
          api.GET('/dag-runs/{name}/{dagRunId}/log/search', { params: { path: { name, dagRunId }, query }, signal }),
        )
      : unwrap(
          api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/log/search', {
            params: { path: { name, dagRunId, subDAGRunId }, query },
            signal,
          }),
        );
  }
  return subDAGRunId === undefined
    ? unwrap(
        api.GET('/dag-runs/{name}/{dagRunId}/steps/{stepName}/log/search', {
          params: { path: { name, dagRunId, stepName }, query: stepQuery },
          signal,
        }),
      )
    : unwrap(
        api.GET('/dag-runs/{name}/{dagRunId}/sub-dag-runs/{subDAGRunId}/steps/{stepName}/log/search', {
          params: { path: { name, dagRunId, subDAGRunId, stepName }, query: stepQuery },
          signal,
        }),
      );
}

/** What is read of the log of a step. */
function readSelection({ stream, attempt }: LogAddress): Pick<LogAddress, 'stream' | 'attempt'> {
  return { ...(stream === undefined ? {} : { stream }), ...(attempt === undefined ? {} : { attempt }) };
}
