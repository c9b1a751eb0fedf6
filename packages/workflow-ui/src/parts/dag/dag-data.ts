import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import type { LiveSource } from '../../api/live-query';

const historyQuery = { limit: 100, nodes: 'false' } as const;

/** A DAG with the content of its file, its schedule and its latest run. */
export function dagSource(fileName: string): LiveSource<Schemas['GetDAGDetailsResponse']> {
  return {
    topic: `dag:${fileName}`,
    read: (signal) => unwrap(api.GET('/dags/{fileName}', { params: { path: { fileName } }, signal })),
  };
}

/** The last hundred runs, newest first, with the status of each step in each of them. */
export function historySource(fileName: string): LiveSource<Schemas['GetDAGRunHistoryResponse']> {
  const query = historyQuery;
  return {
    topic: `daghistory:${fileName}?limit=${query.limit}&nodes=${query.nodes}`,
    read: (signal) => unwrap(api.GET('/dags/{fileName}/dag-runs', { params: { path: { fileName }, query }, signal })),
  };
}

/** The next occurrences of the schedule. Their key begins like those of live data: they change with the DAG. */
export function occurrencesQuery(fileName: string, count: number) {
  return queryOptions<Schemas['DAGOccurrencesResponse'], Failure>({
    queryKey: ['live', 'occurrences', fileName, count],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dags/{fileName}/occurrences', { params: { path: { fileName }, query: { count } }, signal })),
  });
}

/** The reasons why its schedule does not start it, and the skipped occurrences; read again with the DAG. */
export function dagExplanationQuery(fileName: string) {
  return queryOptions<Schemas['DAGExplanation'], Failure>({
    queryKey: ['live', 'explanation', fileName],
    queryFn: ({ signal }) => unwrap(api.GET('/dags/{fileName}/explain', { params: { path: { fileName } }, signal })),
  });
}

/** The DAGs that call it. */
export function callersQuery(fileName: string) {
  return queryOptions<Schemas['DAGCallersResponse'], Failure>({
    queryKey: ['callers', fileName],
    queryFn: ({ signal }) => unwrap(api.GET('/dags/{fileName}/callers', { params: { path: { fileName } }, signal })),
  });
}
