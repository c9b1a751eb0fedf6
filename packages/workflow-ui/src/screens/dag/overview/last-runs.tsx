import { Link, useNavigate } from '@tanstack/react-router';
import { Button, EmptyState, ShortId, Table, type TableColumn } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { Duration } from '../../../parts/duration';
import { RunStatus } from '../../../parts/run-status';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './overview.module.css';

type Run = Schemas['DAGRunDetails'];

const shownRuns = 10;

/** The newest runs, or all that the figures and the chart are of; a row opens its run. */
export function LastRuns({ runs }: { readonly runs: readonly Run[] }): ReactElement {
  const t = useDagMessages();
  const navigate = useNavigate();
  const [isWhole, setIsWhole] = useState(false);
  if (runs.length === 0) return <EmptyState title={t('dag.runs.none')}>{t('dag.runs.none.text')}</EmptyState>;
  const columns: readonly TableColumn<Run>[] = [
    { id: 'status', name: t('dag.runs.status'), render: ({ statusLabel }) => <RunStatus status={statusLabel} /> },
    {
      id: 'id',
      name: t('dag.runs.id'),
      isRowHeader: true,
      width: 'grow',
      render: ({ name, dagRunId }) => (
        <Link to="/dag-runs/$name/$runId" params={{ name, runId: dagRunId }}>
          <ShortId id={dagRunId} />
        </Link>
      ),
    },
    { id: 'started', name: t('dag.runs.started'), render: ({ startedAt }) => <Time value={startedAt} /> },
    {
      id: 'duration',
      name: t('dag.runs.duration'),
      align: 'end',
      render: ({ startedAt, finishedAt }) => <Duration startedAt={startedAt} finishedAt={finishedAt} />,
    },
  ];
  return (
    <>
      <Table
        label={t('dag.runs')}
        items={isWhole ? runs : runs.slice(0, shownRuns)}
        getId={({ dagRunId }) => dagRunId}
        columns={columns}
        onOpen={({ name, dagRunId }) =>
          void navigate({ to: '/dag-runs/$name/$runId', params: { name, runId: dagRunId } })
        }
      />
      {isWhole || runs.length <= shownRuns ? null : (
        <div className={styles.all}>
          <Button onPress={() => setIsWhole(true)}>{t('dag.runs.all', { count: runs.length })}</Button>
        </div>
      )}
    </>
  );
}
