import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Panel, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { useEffect, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { RunLink } from '../../parts/run-link';
import { RunStatus } from '../../parts/run-status';
import { PauseButton } from './pause-button';
import { useQueuesMessages } from './queues-messages';
import { WaitingRunActions } from './waiting-run-actions';
import styles from '../../parts/screen-body.module.css';

type Run = Schemas['DAGRunSummary'];
type QueuedRun = Run & { readonly position: number };

/** The holders of the slots of a queue, and the waiting runs, in the order of their claims. */
export function QueuePanels({ queue }: { readonly queue: Schemas['Queue'] }): ReactElement {
  const t = useQueuesMessages();
  const { name, running, queuedCount } = queue;
  const items = useQueueItems(queue);
  const reason = useReason(queue);
  return (
    <div className={styles.apart}>
      <Panel title={t('queues.holders', { name })}>
        {running.length === 0 ? (
          <p className={styles.muted}>{t('queues.holders.none')}</p>
        ) : (
          <div className={styles.bleed}>
            <Table
              label={t('queues.holders', { name })}
              items={running}
              getId={({ name: dag, dagRunId }) => `${dag}/${dagRunId}`}
              columns={useHolderColumns()}
            />
          </div>
        )}
      </Panel>
      <Panel
        title={t('queues.items', { name })}
        description={queuedCount === 0 && queue.pausedAt === undefined ? undefined : reason}
        actions={<PauseButton queue={queue} />}
      >
        <QueryPanel query={items}>{(page) => <Waiting page={page} name={name} />}</QueryPanel>
      </Panel>
    </div>
  );
}

/** Explains why the first run waits. */
function useReason({ runningCount, maxConcurrency = 1, pausedAt, pausedBy = 'none' }: Schemas['Queue']): string {
  const t = useQueuesMessages();
  if (pausedAt !== undefined) return t('queues.reason.paused', { who: pausedBy });
  return runningCount >= maxConcurrency ? t('queues.reason.full', { all: maxConcurrency }) : t('queues.reason.free');
}

/** Reads the items again when the queue has changed, as its live list reports. */
function useQueueItems({ name, queuedCount, running }: Schemas['Queue']) {
  const client = useQueryClient();
  const state = `${queuedCount}/${running.map(({ dagRunId }) => dagRunId).join()}`;
  useEffect(() => void client.invalidateQueries({ queryKey: ['queue-items', name] }), [client, name, state]);
  return useQuery<Schemas['QueuedDAGRunsPageResponse'], Failure>({
    queryKey: ['queue-items', name],
    queryFn: ({ signal }) => unwrap(api.GET('/queues/{name}/items', { params: { path: { name } }, signal })),
  });
}

function useHolderColumns(): readonly TableColumn<Run>[] {
  const t = useQueuesMessages();
  return [
    { id: 'run', name: t('queues.run'), isRowHeader: true, width: 'grow', render: (run) => <RunLink {...run} /> },
    { id: 'status', name: t('queues.status'), render: ({ statusLabel }) => <RunStatus status={statusLabel} /> },
    {
      id: 'since',
      name: t('queues.since'),
      render: ({ startedAt }) => (startedAt === '' ? null : <Age value={startedAt} />),
    },
  ];
}

interface WaitingProps {
  readonly page: Schemas['QueuedDAGRunsPageResponse'];
  readonly name: string;
}

function Waiting({ page: { items, nextCursor }, name }: WaitingProps): ReactElement {
  const t = useQueuesMessages();
  const columns: readonly TableColumn<QueuedRun>[] = [
    { id: 'position', name: t('queues.position'), render: ({ position }) => position },
    { id: 'run', name: t('queues.run'), isRowHeader: true, width: 'grow', render: (run) => <RunLink {...run} /> },
    {
      id: 'since',
      name: t('queues.since'),
      render: ({ queuedAt }) => (queuedAt === undefined ? null : <Age value={queuedAt} />),
    },
    {
      id: 'actions',
      isButtons: true,
      name: t('queues.actions'),
      align: 'end',
      render: (run) => <WaitingRunActions run={run} queue={name} />,
    },
  ];
  if (items.length === 0) return <p className={styles.muted}>{t('queues.items.none')}</p>;
  return (
    <div className={styles.bleed}>
      <Table
        label={t('queues.items', { name })}
        items={items.map((run, index) => ({ ...run, position: index + 1 }))}
        getId={({ name: dag, dagRunId }) => `${dag}/${dagRunId}`}
        columns={columns}
      />
      {nextCursor === undefined ? null : <p className={styles.note}>{t('queues.further')}</p>}
    </div>
  );
}
