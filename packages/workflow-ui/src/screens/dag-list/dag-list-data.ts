import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '../../api/failure';
import { topicOf, type LiveSource } from '../../api/live-query';
import type { DagListSearch } from './route';

export const dagsPerPage = 50;

/** A page of the DAGs that match. */
export function dagListSource({ page = 1, ...search }: DagListSearch): LiveSource<Schemas['ListDAGsResponse']> {
  const query = { ...search, page, perPage: dagsPerPage };
  return {
    topic: topicOf('dagslist', query),
    read: (signal) => unwrap(api.GET('/dags', { params: { query }, signal })),
  };
}

/** Switches the schedule of a DAG off or on. */
export function useSuspendDag() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ fileName, suspend }: { readonly fileName: string; readonly suspend: boolean }) =>
      unwrap(api.POST('/dags/{fileName}/suspend', { params: { path: { fileName } }, body: { suspend } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['live'] }),
  });
}
