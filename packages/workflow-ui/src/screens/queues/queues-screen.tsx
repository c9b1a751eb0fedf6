import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState, Meter, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, unwrap } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useLiveQuery, type LiveSource } from '../../api/live-query';
import { ScreenHeader } from '../../parts/screen-header';
import { DeadLetters } from './dead-letters';
import { QueuePanels } from './queue-panels';
import { useQueuesMessages } from './queues-messages';
import styles from '../../parts/screen-body.module.css';

const queuesSource: LiveSource<Schemas['QueuesResponse']> = {
  topic: 'queues:',
  read: (signal) => unwrap(api.GET('/queues', { signal })),
};

/** The queues with the holders of their slots and the waiting runs. */
export function QueuesScreen(): ReactElement {
  const t = useQueuesMessages();
  const query = useLiveQuery(queuesSource);
  const { totalRunning: running, totalCapacity: capacity, totalQueued: queued } = query.data?.summary ?? {};
  const note =
    running === undefined || capacity === undefined || queued === undefined || query.data?.queues.length === 0
      ? undefined
      : t('queues.summary', { running, capacity, queued });
  return (
    <>
      <ScreenHeader title={t('queues.title')} note={note} />
      <QueryPanel query={query}>
        {({ queues }) =>
          queues.length === 0 ? (
            <EmptyState title={t('queues.empty.title')}>{t('queues.empty.text')}</EmptyState>
          ) : (
            <Queues queues={queues} />
          )
        }
      </QueryPanel>
      <DeadLetters state={query.data} />
    </>
  );
}

function Queues({ queues }: { readonly queues: readonly Schemas['Queue'][] }): ReactElement {
  const t = useQueuesMessages();
  const navigate = useNavigate();
  const search = useSearch({ from: '/queues' });
  // The busiest queue is shown until another one is chosen.
  const busiest = [...queues].sort((one, other) => other.queuedCount - one.queuedCount)[0];
  const chosen = queues.find(({ name }) => name === search.queue) ?? busiest;
  const columns: readonly TableColumn<Schemas['Queue']>[] = [
    {
      id: 'name',
      name: t('queues.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ name }) => <strong>{name}</strong>,
    },
    {
      id: 'kind',
      name: t('queues.kind'),
      render: ({ type, pausedAt }) => (
        <span className={styles.muted}>
          {t(`queues.kind.${type}`)}
          {pausedAt === undefined ? '' : ` · ${t('queues.isPaused')}`}
        </span>
      ),
    },
    {
      id: 'slots',
      name: t('queues.slots'),
      render: ({ runningCount, maxConcurrency = 1 }) => (
        <Meter
          label={t('queues.slots')}
          value={runningCount}
          max={maxConcurrency}
          text={t('queues.slotsText', { used: runningCount, all: maxConcurrency })}
        />
      ),
    },
    { id: 'waiting', name: t('queues.waiting'), align: 'end', render: ({ queuedCount }) => queuedCount },
  ];
  return (
    <>
      <Table
        label={t('queues.title')}
        items={queues}
        getId={({ name }) => name}
        columns={columns}
        selected={chosen?.name}
        onSelect={({ name }) => void navigate({ to: '/queues', search: { queue: name }, replace: true })}
      />
      {chosen === undefined ? null : <QueuePanels key={chosen.name} queue={chosen} />}
    </>
  );
}
