import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState, SelectField } from '@weir/ui-kit';
import { useCallback, type ReactElement } from 'react';
import { useLiveQuery } from '../../api/live-query';
import { useAppMessages } from '../../app/text/app-messages';
import { FilterField } from '../../parts/filter-field';
import { QueryPanel } from '../../parts/query-panel';
import { runStatuses, type RunStatusLabel } from '../../parts/run-statuses';
import { ScreenHeader } from '../../parts/screen-header';
import { runListSource } from './run-list-data';
import { useRunListMessages } from './run-list-messages';
import { RunTable } from './run-table';
import type { RunListSearch } from './route';
import styles from './run-list.module.css';

/** The runs of all DAGs, newest first. The filters and the page are in the address. */
export function RunListScreen(): ReactElement {
  const t = useRunListMessages();
  const navigate = useNavigate({ from: '/runs' });
  const search = useSearch({ from: '/runs' });
  const query = useLiveQuery(runListSource(search));
  const show = useCallback((next: RunListSearch): void => void navigate({ search: next }), [navigate]);
  const { cursor: _cursor, ...filters } = search;
  const { name: _name, ...rest } = filters;
  const filter = (name: string): void => show(name === '' ? rest : { ...rest, name });
  return (
    <>
      <ScreenHeader title={t('runs.title')}>
        <StatusFilter filters={filters} onChange={show} />
        <FilterField label={t('runs.filter')} value={search.name ?? ''} onChange={filter} />
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ dagRuns, nextCursor }) => (
          <>
            {dagRuns.length === 0 ? <NoRuns search={search} onClear={() => show({})} /> : <RunTable runs={dagRuns} />}
            <div className={styles.pager}>
              {search.cursor === undefined ? null : <Button onPress={() => show(filters)}>{t('runs.newest')}</Button>}
              {nextCursor === undefined ? null : (
                <Button onPress={() => show({ ...filters, cursor: nextCursor })}>{t('runs.older')}</Button>
              )}
            </div>
          </>
        )}
      </QueryPanel>
    </>
  );
}

interface StatusFilterProps {
  readonly filters: RunListSearch;
  readonly onChange: (filters: RunListSearch) => void;
}

function StatusFilter({ filters: { status, ...rest }, onChange }: StatusFilterProps): ReactElement {
  const t = useRunListMessages();
  const app = useAppMessages();
  const options: readonly { readonly value: RunStatusLabel | 'all'; readonly label: string }[] = [
    { value: 'all', label: t('runs.status.all') },
    ...runStatuses.map((value) => ({ value, label: app(`app.status.${value}`) })),
  ];
  return (
    <SelectField
      label={t('runs.status')}
      isLabelHidden
      value={status ?? 'all'}
      options={options}
      onChange={(value) => onChange(value === 'all' ? rest : { ...rest, status: value })}
    />
  );
}

interface NoRunsProps {
  readonly search: RunListSearch;
  readonly onClear: () => void;
}

function NoRuns({ search, onClear }: NoRunsProps): ReactElement {
  const t = useRunListMessages();
  if (Object.keys(search).length > 0) {
    return (
      <EmptyState title={t('runs.noMatch.title')} action={<Button onPress={onClear}>{t('runs.noMatch.clear')}</Button>}>
        {t('runs.noMatch.text')}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('runs.empty.title')} action={<Link to="/dags">{t('runs.empty.action')}</Link>}>
      {t('runs.empty.text')}
    </EmptyState>
  );
}
