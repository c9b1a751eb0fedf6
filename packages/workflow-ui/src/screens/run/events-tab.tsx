import { EmptyState, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { describeEvent, EventName } from '../../parts/events/event-name';
import type { RunAddress } from '../../parts/run/run-address';
import { useRunMessages } from '../../parts/run/run-messages';
import { useEvents } from './run-facts-data';
import styles from './tabs.module.css';

type Entry = Schemas['EventLogEntry'];

export interface EventsTabProps {
  readonly address: RunAddress;
  readonly version: number;
}

/** The events of the run in order, with their actors. */
export function EventsTab({ address, version }: EventsTabProps): ReactElement {
  const t = useRunMessages();
  const query = useEvents(address, version);
  return (
    <QueryPanel query={query}>
      {({ entries }) =>
        entries.length === 0 ? (
          <EmptyState title={t('run.events.none')}>{t('run.events.none.text')}</EmptyState>
        ) : (
          <EventTable entries={entries.toReversed()} />
        )
      }
    </QueryPanel>
  );
}

function EventTable({ entries }: { readonly entries: readonly Entry[] }): ReactElement {
  const t = useRunMessages();
  const columns: readonly TableColumn<Entry>[] = [
    { id: 'at', name: t('run.events.at'), render: ({ occurredAt }) => <Time value={occurredAt} /> },
    {
      id: 'what',
      name: t('run.events.what'),
      isRowHeader: true,
      width: 'grow',
      render: ({ type, data }) => (
        <span>
          <EventName type={type} /> <span className={styles.muted}>{describeEvent(data)}</span>
        </span>
      ),
    },
    {
      id: 'who',
      name: t('run.events.who'),
      render: ({ userId }) => (userId === undefined ? null : <span>{userId}</span>),
    },
    {
      id: 'attempt',
      name: t('run.events.attempt'),
      align: 'end',
      render: ({ attemptId }) => (attemptId === undefined ? null : <span>{attemptId}</span>),
    },
  ];
  return <Table label={t('run.tab.events')} items={entries} getId={({ id }) => id} columns={columns} />;
}
