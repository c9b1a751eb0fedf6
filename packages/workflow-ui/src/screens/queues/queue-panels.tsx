import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconButton, Panel, Table, Tooltip, type TableColumn } from '@weir/ui-kit';
import { ListX } from 'lucide-react';
import { useEffect, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap, type Failure } from '../../api/failure';
import { Age } from '../../parts/age';
import { QueryPanel } from '../../parts/query-panel';
import { RunLink } from '../../parts/run-link';
import { RunStatus } from '../../parts/run-status';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { useQueuesMessages } from './queues-messages';
import styles from '../../parts/screen-body.module.css';

type Run = Schemas['DAGRunSummary'];
type QueuedRun = Run & { readonly position: number };

/** What holds the slots of a queue, and what waits for one, in the order of its claim. */
export function QueuePanels({ queue }: { readonly queue: Schemas['Queue'] }): ReactElement {
  const t = useQueuesMessages();
  const { name, running, runningCount, maxConcurrency = 1, queuedCount } = queue;
  const items = useQueueItems(queue);
  const reason = runningCount >= maxConcurrency ? 'queues.reason.full' : 'queues.reason.free';
  return (
    <>
      <div style={{ height: 'var(--space-5)' }} />
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
        description={queuedCount === 0 ? undefined : t(reason, { all: maxConcurrency })}
      >
        <QueryPanel query={items}>{(page) => <Waiting page={page} name={name} />}</QueryPanel>
      </Panel>
    </>
  );
}

/** Read again when the queue has changed, which its live list tells. */
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
    { id: 'actions', name: t('queues.actions'), align: 'end', render: (run) => <Dequeue run={run} /> },
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

function Dequeue({ run: { name, dagRunId, workspace } }: { readonly run: Run }): ReactElement {
  const t = useQueuesMessages();
  const refusal = useRefusal('dequeueDAGRun', workspace);
  const label = t('queues.dequeue', { id: dagRunId });
  const { mutate, isPending } = useAction({
    run: () => unwrap(api.GET('/dag-runs/{name}/{dagRunId}/dequeue', { params: { path: { name, dagRunId } } })),
    done: () => t('queues.dequeued', { id: dagRunId }),
    changes: ['live', 'queue-items'],
  });
  return (
    <Tooltip text={label}>
      <IconButton
        icon={<ListX aria-hidden size={16} />}
        label={label}
        isPending={isPending}
        disabledReason={refusal}
        onPress={() => mutate()}
      />
    </Tooltip>
  );
}
