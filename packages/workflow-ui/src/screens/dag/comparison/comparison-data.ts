import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';

export interface RunPair {
  /** Of the DAG. */
  readonly name: string;
  readonly newer: string;
  readonly older: string;
}

/** How two runs of a DAG differ. */
export function comparisonQuery({ name, newer, older }: RunPair) {
  const params = { path: { name, dagRunId: newer }, query: { with: older } };
  return queryOptions<Schemas['DAGRunDiffResponse'], Failure>({
    queryKey: ['comparison', name, newer, older],
    queryFn: ({ signal }) => unwrap(api.GET('/dag-runs/{name}/{dagRunId}/diff', { params, signal })),
  });
}
