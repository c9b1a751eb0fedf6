import { api, type Schemas } from '../../api/client';
import { unwrap } from '../../api/failure';
import { topicOf, type LiveSource } from '../../api/live-query';
import { statusNumber } from '../../parts/run-statuses';
import type { RunListSearch } from './route';

export const runsPerPage = 50;

/** A page of the runs that match, newest first. */
export function runListSource({ name, status, cursor }: RunListSearch): LiveSource<Schemas['DAGRunsPageResponse']> {
  const number = status === undefined ? undefined : statusNumber(status);
  const query = {
    ...(name === undefined ? {} : { name }),
    ...(cursor === undefined ? {} : { cursor }),
    limit: runsPerPage,
  };
  return {
    topic: topicOf('dagruns', { ...query, status: number }),
    read: (signal) =>
      unwrap(
        api.GET('/dag-runs', {
          params: { query: number === undefined ? query : { ...query, status: [number] } },
          signal,
        }),
      ),
  };
}
