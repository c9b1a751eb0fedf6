import { unwrap } from '@weir/ui-kit/app';
import { api, type Schemas } from '../../api/client';
import { topicOf, type LiveSource } from '../../api/live-query';

const dagsPerPage = 50;
/** The number of last runs that are shown of each DAG. */
const recentRuns = 20;

type DagListPage = Schemas['DAGFilter'] & {
  readonly page?: number;
  readonly sort?: 'nextRun';
  readonly order?: 'desc';
};

/** A page of the matching DAGs. */
export function dagListSource({ page = 1, ...filter }: DagListPage): LiveSource<Schemas['ListDAGsResponse']> {
  const query = { ...filter, page, perPage: dagsPerPage, recentRuns };
  return {
    topic: topicOf('dagslist', query),
    read: (signal) => unwrap(api.GET('/dags', { params: { query }, signal })),
  };
}
