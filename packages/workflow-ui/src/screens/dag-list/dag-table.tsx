import { Link } from '@tanstack/react-router';
import { Table, type TableColumn, type TableSelection } from '@weir/ui-kit';
import { formatDuration, Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { valuesOf, withValues } from '../../parts/query-text/query-terms';
import { RunStatus } from '../../parts/run-status';
import { summariseRuns } from '../../parts/run/run-statistics';
import { DagActions } from './dag-actions';
import { useDagListMessages } from './dag-list-messages';
import { RecentRuns } from './recent-runs';
import type { DagListSearch } from './search';
import styles from './dag-list.module.css';

export interface DagTableProps {
  readonly dags: readonly Schemas['DAGFile'][];
  readonly search: DagListSearch;
  readonly onChange: (changes: DagListSearch) => void;
  /** Shows a DAG beside the list. */
  readonly onPeek?: (dag: Schemas['DAGFile']) => void;
  readonly selection: TableSelection;
}

export function DagTable({ dags, search, onChange, onPeek, selection }: DagTableProps): ReactElement {
  const t = useDagListMessages();
  return (
    <Table
      label={t('dags.title')}
      items={dags}
      getId={({ fileName }) => fileName}
      columns={useColumns(search)}
      selection={selection}
      {...(onPeek === undefined ? {} : { onOpen: onPeek })}
      sort={{
        column: search.sort ?? 'name',
        direction: search.order === 'desc' ? 'descending' : 'ascending',
      }}
      onSort={({ column, direction }) => {
        const { sort: _sort, order: _order, page: _page, ...rest } = search;
        onChange({
          ...rest,
          ...(column === 'nextRun' ? { sort: 'nextRun' } : {}),
          ...(direction === 'descending' ? { order: 'desc' } : {}),
        });
      }}
    />
  );
}

function useColumns({ q = '' }: DagListSearch): readonly TableColumn<Schemas['DAGFile']>[] {
  const t = useDagListMessages();
  return [
    {
      id: 'name',
      name: t('dags.name'),
      isRowHeader: true,
      isSortable: true,
      width: 'grow',
      render: (dag) => <DagName dag={dag} q={q} />,
    },
    {
      id: 'lastRun',
      name: t('dags.lastRun'),
      render: ({ latestDAGRun: run }) =>
        run.dagRunId === '' ? (
          <span className={styles.muted}>{t('dags.neverRan')}</span>
        ) : (
          <span className={styles.run}>
            <RunStatus status={run.statusLabel} />
            <Time value={run.startedAt} />
          </span>
        ),
    },
    { id: 'recentRuns', name: t('dags.recentRuns'), render: (dag) => <RecentRuns dag={dag} /> },
    {
      id: 'usual',
      name: t('dags.usual'),
      align: 'end',
      render: ({ recentRuns = [] }) => <UsualDuration runs={recentRuns} />,
    },
    {
      id: 'schedule',
      name: t('dags.schedule'),
      render: ({ dag: { schedule = [] } }) =>
        schedule.length === 0 ? null : (
          <code className={styles.muted}>{schedule.map(({ expression, at }) => expression ?? at).join(', ')}</code>
        ),
    },
    {
      id: 'nextRun',
      name: t('dags.nextRun'),
      isSortable: true,
      render: ({ suspended, nextRun }) =>
        suspended ? <span className={styles.muted}>{t('dags.suspended')}</span> : <Time value={nextRun} />,
    },
    {
      id: 'actions',
      isButtons: true,
      name: t('dags.actions'),
      align: 'end',
      render: (dag) => <DagActions dag={dag} />,
    },
  ];
}

/** Shows the median duration of successful runs. */
function UsualDuration({ runs }: { readonly runs: readonly Schemas['RecentRun'][] }): ReactElement | null {
  const t = useDagListMessages();
  const { medianMs } = summariseRuns(runs);
  return medianMs === undefined ? null : <span title={t('dags.usual.hint')}>{formatDuration(medianMs)}</span>;
}

interface DagNameProps {
  readonly dag: Schemas['DAGFile'];
  readonly q: string;
}

function DagName({ dag: { dag, fileName, errors }, q }: DagNameProps): ReactElement {
  const t = useDagListMessages();
  return (
    <span className={styles.name}>
      <Link to="/dags/$fileName" params={{ fileName }} className={styles.link}>
        {dag.name === '' ? fileName : dag.name}
      </Link>
      {errors.length === 0 ? null : (
        <span className={styles.broken} title={errors.join('\n')}>
          {t('dags.broken', { count: errors.length })}
        </span>
      )}
      {dag.labels?.map((label) => (
        <Link
          key={label}
          to="/dags"
          search={{ q: withValues(q, 'label', [...new Set([...valuesOf(q, 'label'), label])]) }}
          className={styles.label}
        >
          {label}
        </Link>
      ))}
      {dag.description === undefined || dag.description === '' ? null : (
        <span className={styles.description} title={dag.description}>
          {dag.description}
        </span>
      )}
    </span>
  );
}
