import { Table, type TableColumn } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { Duration } from '../../parts/duration';
import { RunStatus } from '../../parts/run-status';
import { useRunMessages } from '../../parts/run/run-messages';
import type { StepRow } from '../../parts/run/step-rows';
import styles from './step-table.module.css';

export interface StepTableProps {
  readonly rows: readonly StepRow[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

/** The steps in the order of the spec: it replaces the graph and the timeline for people who do not see them. */
export function StepTable({ rows, selected, onSelect }: StepTableProps): ReactElement {
  const t = useRunMessages();
  const columns: readonly TableColumn<StepRow>[] = [
    { id: 'status', name: t('run.status'), render: ({ node }) => <RunStatus status={node.statusLabel} /> },
    { id: 'name', name: t('run.step'), isRowHeader: true, width: 'grow', render: (row) => <StepName row={row} /> },
    { id: 'started', name: t('run.started'), render: ({ node }) => <Time value={node.startedAt} /> },
    { id: 'duration', name: t('run.duration'), align: 'end', render: ({ node }) => <Duration {...node} /> },
  ];
  return (
    <Table
      label={t('run.steps')}
      items={rows}
      getId={({ id }) => id}
      columns={columns}
      selected={selected}
      onSelect={({ id }) => onSelect(id)}
    />
  );
}

function StepName({ row: { name, handler, node } }: { readonly row: StepRow }): ReactElement {
  const t = useRunMessages();
  const { retryCount, subRuns = [], error, build } = node;
  const notes = [
    ...(build === undefined ? [] : [t(`run.build.${build}`)]),
    ...(retryCount > 0 ? [t('run.retries', { count: retryCount })] : []),
    ...(subRuns.length > 0 ? [t('run.children', { count: subRuns.length })] : []),
  ];
  return (
    <span className={styles.name}>
      <span className={styles.line}>
        <span className={styles.text}>{name}</span>
        {handler === undefined ? null : <span className={styles.tag}>{t(`run.handler.${handler}`)}</span>}
        {notes.length === 0 ? null : <span className={styles.note}>{notes.join(' · ')}</span>}
      </span>
      {error === undefined || error === '' ? null : (
        <span className={node.statusLabel === 'failed' ? styles.error : styles.note}>{error.split('\n', 1)[0]}</span>
      )}
    </span>
  );
}
