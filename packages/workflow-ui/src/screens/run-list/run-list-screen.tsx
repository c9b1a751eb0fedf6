import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { Suspense, useMemo, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { PeekLayout } from '../../parts/peek/peek-layout';
import { UnknownTerms } from '../../parts/query-text/unknown-terms';
import { ScreenHeader } from '../../parts/screen-header';
import { runListSource } from './run-list-data';
import { useRunListMessages } from './run-list-messages';
import { RunFilters } from './run-filters';
import { RunPage } from './run-page';
import { readRunQuery, type RunFilter } from './run-query';
import type { RunListSearch } from './search';
import { lazyPart } from '../../parts/lazy-part';

const RunPeek = lazyPart(() => import('./run-peek'), 'RunPeek');

/** The runs of all DAGs, newest first. The query, the page and the run beside the list are in the address. */
export function RunListScreen(): ReactElement {
  const t = useRunListMessages();
  const navigate = useNavigate({ from: '/runs' });
  const search = useSearch({ from: '/runs' });
  const { q = '', cursor, peek } = search;
  // Relative hours count from the moment at which the text was written.
  const { filter: written, unknown } = useMemo(() => readRunQuery(q, new Date()), [q]);
  const scope = useWorkspaceScope();
  const filter = useMemo(() => ({ ...written, ...scope }), [written, scope]);
  const query = useLiveQuery(runListSource(filter, cursor));
  const count = useRunCount(filter, query.data?.dagRuns[0]?.dagRunId);
  const show = (next: RunListSearch, replace = false): void => void navigate({ search: next, replace });
  const { peek: _peek, ...withoutPeek } = search;
  return (
    <>
      <ScreenHeader title={t('runs.title')} note={count}>
        <RunFilters q={q} onChange={(next, replace) => show(next === '' ? {} : { q: next }, replace)} />
      </ScreenHeader>
      <UnknownTerms terms={unknown} known={t('runs.query.known')} />
      <PeekLayout
        peek={
          peek === undefined ? null : (
            <Suspense>
              <RunPeek key={peek} run={peek} onClose={() => show(withoutPeek)} />
            </Suspense>
          )
        }
      >
        <QueryPanel query={query}>
          {(page) => <RunPage {...{ page, filter, search, count }} onChange={show} />}
        </QueryPanel>
      </PeekLayout>
    </>
  );
}

/** Returns the number of matching runs in words; it is counted again when there is a newer run. */
function useRunCount(filter: RunFilter, newest: string | undefined): string | undefined {
  const t = useRunListMessages();
  const { data } = useQuery<Schemas['DAGRunCountsResponse'], Failure>({
    queryKey: ['run-counts', filter, newest],
    queryFn: ({ signal }) => unwrap(api.GET('/run-counts', { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
  if (data === undefined) return undefined;
  return t(data.isComplete ? 'runs.count' : 'runs.countMore', { count: data.total });
}
