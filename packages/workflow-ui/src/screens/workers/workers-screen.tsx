import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState, Meter, ShortId, StatusName, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useMay } from '../../api/permissions';
import { Age } from '../../parts/age';
import { ScreenHeader } from '../../parts/screen-header';
import { LabelTags } from './label-tags';
import { WorkerTokens } from './worker-tokens';
import { useWorkersMessages } from './workers-messages';
import styles from '../../parts/screen-body.module.css';

/** The stream has no events for heartbeats. */
const rereadMs = 10_000;

const healthKinds = { healthy: 'succeeded', warning: 'waiting', unhealthy: 'failed' } as const;

/** The processes that execute runs: their labels, load and runs, and the tokens of those that speak to this server. */
export function WorkersScreen(): ReactElement {
  const t = useWorkersMessages();
  const query = useQuery<Schemas['WorkersListResponse'], Failure>({
    queryKey: ['workers'],
    queryFn: ({ signal }) => unwrap(api.GET('/workers', { signal })),
    refetchInterval: rereadMs,
  });
  const count = query.data?.workers.length;
  const mayManageTokens = useMay('listWorkerTokens') === true;
  return (
    <>
      <ScreenHeader title={t('workers.title')} note={count === undefined ? undefined : t('workers.count', { count })} />
      <QueryPanel query={query}>
        {({ workers, errors }) =>
          workers.length === 0 ? (
            <EmptyState title={t('workers.empty.title')}>{[t('workers.empty.text'), ...errors].join(' ')}</EmptyState>
          ) : (
            <WorkerTable workers={workers} />
          )
        }
      </QueryPanel>
      {mayManageTokens ? (
        <div className={styles.apart}>
          <WorkerTokens />
        </div>
      ) : null}
    </>
  );
}

function WorkerTable({ workers }: { readonly workers: readonly Schemas['Worker'][] }): ReactElement {
  const t = useWorkersMessages();
  const columns: readonly TableColumn<Schemas['Worker']>[] = [
    { id: 'id', name: t('workers.id'), isRowHeader: true, width: 'grow', render: ({ id }) => <strong>{id}</strong> },
    {
      id: 'health',
      name: t('workers.health'),
      render: ({ healthStatus }) => (
        <StatusName kind={healthKinds[healthStatus]} name={t(`workers.health.${healthStatus}`)} />
      ),
    },
    { id: 'labels', name: t('workers.labels'), render: ({ labels }) => <LabelTags labels={labels} /> },
    {
      id: 'load',
      name: t('workers.load'),
      render: ({ busyPollers, totalPollers }) => (
        <Meter
          label={t('workers.load')}
          value={busyPollers}
          max={totalPollers}
          text={t('workers.loadText', { busy: busyPollers, all: totalPollers })}
        />
      ),
    },
    { id: 'tasks', name: t('workers.tasks'), render: ({ runningTasks }) => <Tasks tasks={runningTasks} /> },
    { id: 'heartbeat', name: t('workers.heartbeat'), render: ({ lastHeartbeatAt }) => <Age value={lastHeartbeatAt} /> },
  ];
  return <Table label={t('workers.title')} items={workers} getId={({ id }) => id} columns={columns} />;
}

function Tasks({ tasks }: { readonly tasks: readonly Schemas['RunningTask'][] }): ReactElement {
  const t = useWorkersMessages();
  if (tasks.length === 0) return <span className={styles.muted}>{t('workers.idle')}</span>;
  return (
    <ul>
      {tasks.map(({ dagName, dagRunId, startedAt, rootDagRunName = dagName, rootDagRunId = dagRunId }) => (
        <li key={dagRunId} className={styles.task}>
          <Link
            to="/dag-runs/$name/$runId"
            params={{ name: rootDagRunName, runId: rootDagRunId }}
            search={rootDagRunId === dagRunId ? {} : { sub: dagRunId }}
          >
            {dagName} <ShortId id={dagRunId} />
          </Link>
          <span className={styles.muted}>
            <Age value={startedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
