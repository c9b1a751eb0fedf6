import { Link } from '@tanstack/react-router';
import { Button, EmptyState } from '@weir/ui-kit';
import { useEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import type { Schemas } from '../../api/client';
import { useIsNarrow, useIsWide } from '../../parts/use-is-narrow';
import type { BulkSelection } from '../../parts/bulk/bulk-bar';
import { NewRows } from './new-rows';
import { withValues } from '../../parts/query-text/query-terms';
import { useSettledList } from './use-settled-list';
import { RunBulk } from './run-bulk';
import { useRunListMessages } from './run-list-messages';
import type { RunFilter } from './run-query';
import { runKeyOf, RunTable } from '../../parts/run-table/run-table';
import type { RunListSearch } from './search';
import styles from '../../parts/screen-body.module.css';

export interface RunPageProps {
  readonly page: Schemas['DAGRunsPageResponse'];
  readonly filter: RunFilter;
  readonly search: RunListSearch;
  /** The number of matching runs in words. */
  readonly count: string | undefined;
  readonly onChange: (search: RunListSearch) => void;
}

/** The rows of a page. They do not move while a person reads further down, has selected some or has one open. */
export function RunPage({ page: { dagRuns, nextCursor }, filter, search, onChange }: RunPageProps): ReactElement {
  const t = useRunListMessages();
  const { cursor, peek, ...rest } = search;
  const isNarrow = useIsNarrow();
  const isWide = useIsWide();
  const [selection, setSelection] = useState<BulkSelection>(new Set());
  const [mark, isAtTop] = useIsAtTop();
  const isRead = !isAtTop || peek !== undefined || selection === 'matching' || selection.size > 0;
  const key = JSON.stringify([filter, cursor]);
  const list = useSettledList(dagRuns, runKeyOf, { key, isRead, hasMore: nextCursor !== undefined });
  const onPeek = (run: Schemas['DAGRunSummary']): void => onChange({ ...search, peek: runKeyOf(run) });
  return (
    <>
      <div ref={mark} />
      <NewRows count={list.waiting} onShow={list.showAll} />
      {list.items.length === 0 ? (
        <NoRuns search={rest} onChange={onChange} />
      ) : (
        <RunTable
          runs={list.items}
          hasRoom={isWide && peek === undefined}
          {...(isNarrow ? {} : { onPeek })}
          selection={{
            selected: selection === 'matching' ? new Set(list.items.map(runKeyOf)) : selection,
            onChange: setSelection,
          }}
        />
      )}
      <div className={styles.pager}>
        {cursor === undefined ? null : <Button onPress={() => onChange(rest)}>{t('runs.newest')}</Button>}
        {nextCursor === undefined ? null : (
          <Button onPress={() => onChange({ ...rest, cursor: nextCursor })}>{t('runs.older')}</Button>
        )}
      </div>
      <RunBulk {...{ selection, filter, runs: list.items }} onSelect={setSelection} />
    </>
  );
}

interface NoRunsProps {
  readonly search: RunListSearch;
  readonly onChange: (search: RunListSearch) => void;
}

function NoRuns({ search: { q = '' }, onChange }: NoRunsProps): ReactElement {
  const t = useRunListMessages();
  const ever = 'since:ever';
  if (q === ever) {
    return (
      <EmptyState title={t('runs.empty.title')} action={<Link to="/dags">{t('runs.empty.action')}</Link>}>
        {t('runs.empty.text')}
      </EmptyState>
    );
  }
  const isToday = q === '';
  const next = isToday ? { q: withValues(q, 'since', ['ever']) } : {};
  return (
    <EmptyState
      title={t(isToday ? 'runs.today.title' : 'runs.noMatch.title')}
      action={<Button onPress={() => onChange(next)}>{t(isToday ? 'runs.today.action' : 'runs.noMatch.clear')}</Button>}
    >
      {t(isToday ? 'runs.today.text' : 'runs.noMatch.text')}
    </EmptyState>
  );
}

/** Whether an element above a list is in view, so that nobody reads further down. */
function useIsAtTop(): readonly [RefObject<HTMLDivElement | null>, boolean] {
  const mark = useRef<HTMLDivElement>(null);
  const [isAtTop, setIsAtTop] = useState(true);
  useEffect(() => {
    if (mark.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setIsAtTop(entry?.isIntersecting ?? true));
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return [mark, isAtTop];
}
