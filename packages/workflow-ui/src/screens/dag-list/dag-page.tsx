import { Button, EmptyState } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { useIsNarrow } from '../../parts/use-is-narrow';
import type { BulkSelection } from '../../parts/bulk/bulk-bar';
import { DagBulk } from './dag-bulk';
import { useDagListMessages } from './dag-list-messages';
import type { DagFilter } from './dag-query';
import { DagTable } from './dag-table';
import type { DagListSearch } from './search';
import styles from './dag-list.module.css';

export interface DagPageProps {
  readonly dags: Schemas['ListDAGsResponse'];
  readonly filter: DagFilter;
  readonly search: DagListSearch;
  readonly onChange: (search: DagListSearch) => void;
  /** Shows the results of another query text. */
  readonly onAsk: (q: string) => void;
}

/** The rows of a page, and the actions on selected ones. */
export function DagPage({ dags: { dags, pagination }, filter, search, onChange, onAsk }: DagPageProps): ReactElement {
  const t = useDagListMessages();
  const isNarrow = useIsNarrow();
  const [selection, setSelection] = useState<BulkSelection>(new Set());
  const { q } = search;
  if (dags.length === 0 && q === undefined && filter.workspace === undefined) {
    return <EmptyState title={t('dags.empty.title')}>{t('dags.empty.text')}</EmptyState>;
  }
  if (dags.length === 0) {
    const clear = <Button onPress={() => onAsk('')}>{t('dags.noMatch.clear')}</Button>;
    return (
      <EmptyState title={t('dags.noMatch.title')} {...(q === undefined ? {} : { action: clear })}>
        {q === undefined ? t('dags.noMatch.workspace') : t('dags.noMatch.text', { text: q })}
      </EmptyState>
    );
  }
  const files = dags.map(({ fileName }) => fileName);
  return (
    <>
      <DagTable
        dags={dags}
        search={search}
        onChange={onChange}
        {...(isNarrow ? {} : { onPeek: ({ fileName }) => onChange({ ...search, peek: fileName }) })}
        selection={{ selected: selection === 'matching' ? new Set(files) : selection, onChange: setSelection }}
      />
      <Pager pagination={pagination} onChange={(page) => onChange({ ...search, page })} />
      <DagBulk {...{ selection, filter }} onSelect={setSelection} />
    </>
  );
}

interface PagerProps {
  readonly pagination: Schemas['Pagination'];
  readonly onChange: (page: number) => void;
}

/** Renders nothing for a single page. */
function Pager({ pagination, onChange }: PagerProps): ReactElement | null {
  const t = useDagListMessages();
  const { currentPage, totalPages } = pagination;
  if (totalPages <= 1) return null;
  return (
    <nav aria-label={t('dags.page', { page: currentPage, pages: totalPages })} className={styles.pager}>
      <Button isDisabled={currentPage <= 1} onPress={() => onChange(currentPage - 1)}>
        {t('dags.previous')}
      </Button>
      <span>{t('dags.page', { page: currentPage, pages: totalPages })}</span>
      <Button isDisabled={currentPage >= totalPages} onPress={() => onChange(currentPage + 1)}>
        {t('dags.next')}
      </Button>
    </nav>
  );
}
