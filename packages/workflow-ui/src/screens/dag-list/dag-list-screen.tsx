import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState } from '@weir/ui-kit';
import { useCallback, type ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { FilterField } from '../../parts/filter-field';
import { QueryPanel } from '../../parts/query-panel';
import { ScreenHeader } from '../../parts/screen-header';
import { CreateDagButton } from '../dag/actions/create-dag-button';
import { dagListSource } from './dag-list-data';
import { useDagListMessages } from './dag-list-messages';
import { DagTable } from './dag-table';
import { Pager } from './pager';
import type { DagListSearch } from './route';

/** All DAGs, filtered by the server. The filter, the order and the page are in the address. */
export function DagListScreen(): ReactElement {
  const t = useDagListMessages();
  const navigate = useNavigate({ from: '/dags' });
  const search = useSearch({ from: '/dags' });
  const query = useLiveQuery(dagListSource(search));
  const change = useCallback((next: DagListSearch): void => void navigate({ search: next, replace: true }), [navigate]);
  const filter = useCallback((name: string) => change(withName(search, name)), [change, search]);
  const count = query.data?.pagination.totalRecords;
  return (
    <>
      <ScreenHeader title={t('dags.title')} note={count === undefined ? undefined : t('dags.count', { count })}>
        <FilterField label={t('dags.filter')} value={search.name ?? ''} onChange={filter} />
        <CreateDagButton />
      </ScreenHeader>
      <QueryPanel query={query}>
        {(page) =>
          page.dags.length === 0 ? (
            <NoDags search={search} onClear={() => filter('')} />
          ) : (
            <DagPage page={page} search={search} onChange={change} />
          )
        }
      </QueryPanel>
    </>
  );
}

/** Another filter begins at the first page. */
function withName({ name: _name, page: _page, ...rest }: DagListSearch, name: string): DagListSearch {
  return name === '' ? rest : { ...rest, name };
}

interface DagPageProps {
  readonly page: Schemas['ListDAGsResponse'];
  readonly search: DagListSearch;
  readonly onChange: (changes: DagListSearch) => void;
}

function DagPage({ page, search, onChange }: DagPageProps): ReactElement {
  return (
    <>
      <DagTable dags={page.dags} search={search} onChange={onChange} />
      <Pager pagination={page.pagination} onChange={(next) => onChange({ ...search, page: next })} />
    </>
  );
}

function NoDags({ search, onClear }: { readonly search: DagListSearch; readonly onClear: () => void }): ReactElement {
  const t = useDagListMessages();
  const { name } = search;
  if (name === undefined) return <EmptyState title={t('dags.empty.title')}>{t('dags.empty.text')}</EmptyState>;
  return (
    <EmptyState title={t('dags.noMatch.title')} action={<Button onPress={onClear}>{t('dags.noMatch.clear')}</Button>}>
      {t('dags.noMatch.text', { text: name })}
    </EmptyState>
  );
}
