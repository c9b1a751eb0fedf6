import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilterField, QueryPanel } from '@weir/ui-kit/app';
import { Suspense, useMemo, useState, type ReactElement } from 'react';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { PeekLayout } from '../../parts/peek/peek-layout';
import { UnknownTerms } from '../../parts/query-text/unknown-terms';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { ScreenHeader } from '../../parts/screen-header';
import { CreateDagButton } from './create-dag-button';
import { dagListSourceOf } from './dag-list-address';
import { useDagListMessages } from './dag-list-messages';
import { DagPage, type DagPageProps } from './dag-page';
import { readDagQuery } from './dag-query';
import { Facets } from './facets';
import type { DagListSearch } from './search';
import { lazyPart } from '../../parts/lazy-part';

const DagPeek = lazyPart(() => import('./dag-peek'), 'DagPeek');

/** All DAGs, filtered by the server. The query, the order, the page and the DAG beside the list are in the address. */
export function DagListScreen(): ReactElement {
  const t = useDagListMessages();
  const navigate = useNavigate({ from: '/dags' });
  const search = useSearch({ from: '/dags' });
  const { q = '', peek, page: _page, ws: _ws, ...sorting } = search;
  const scope = useWorkspaceScope();
  const { filter, unknown } = useMemo(() => readDagQuery(q, scope), [q, scope]);
  const query = useLiveQuery(dagListSourceOf(search));
  const show = (next: DagListSearch, replace = false): void => void navigate({ search: next, replace });
  // Another query begins at the first page.
  const ask = (next: string, replace = false): void =>
    show({ ...sorting, ...(next === '' ? {} : { q: next }) }, replace);
  const { peek: _peek, ...withoutPeek } = search;
  const count = query.data?.pagination.totalRecords;
  return (
    <>
      <ScreenHeader title={t('dags.title')} note={count === undefined ? undefined : t('dags.count', { count })}>
        <FilterField
          label={t('dags.filter')}
          placeholder={t('dags.filter.example')}
          value={q}
          onChange={(text) => ask(text, true)}
        />
        <SavedViews list="/dags" />
        <CreateDagButton />
      </ScreenHeader>
      <UnknownTerms terms={unknown} known={t('dags.query.known')} />
      <Facets q={q} onChange={ask} />
      <PeekLayout
        peek={
          peek === undefined ? null : (
            <Suspense>
              <DagPeek key={peek} fileName={peek} onClose={() => show(withoutPeek)} />
            </Suspense>
          )
        }
      >
        <QueryPanel query={query}>
          {(dags) => (
            <ShownPage
              isOutdated={query.isPlaceholderData}
              page={{ dags, filter, search, onChange: show, onAsk: ask }}
            />
          )}
        </QueryPanel>
      </PeekLayout>
    </>
  );
}

interface ShownPageProps {
  /** Whether the rows are the answer to an earlier query. */
  readonly isOutdated: boolean;
  readonly page: DagPageProps;
}

/** Rows that are about to be replaced are not drawn again: that would delay their successors. */
function ShownPage({ isOutdated, page }: ShownPageProps): ReactElement {
  const [shown, setShown] = useState(page);
  // The callbacks depend on the address, and on nothing else of the page.
  const isOther = shown.dags !== page.dags || shown.search !== page.search || shown.filter !== page.filter;
  if (!isOutdated && isOther) setShown(page);
  return useMemo(() => <DagPage {...shown} />, [shown]);
}
