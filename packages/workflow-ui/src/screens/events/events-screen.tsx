import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState, SelectField, Table, type TableColumn } from '@weir/ui-kit';
import { defineMessages, FilterField, QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import { useCallback, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { describeEvent, EventName, namedEvents, useEventName } from '../../parts/events/event-name';
import { RunLink } from '../../parts/run-link';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { ScreenHeader } from '../../parts/screen-header';
import messages from './messages.json';
import type { EventsSearch } from './search';
import styles from '../../parts/screen-body.module.css';

const useEventsMessages = defineMessages(messages);
const eventsPerPage = 50;

/** The events of runs and the decisions of people, newest first. The filters and the page are in the address. */
export function EventsScreen(): ReactElement {
  const t = useEventsMessages();
  const nameOf = useEventName();
  const navigate = useNavigate();
  const search = useSearch({ from: '/events' });
  const show = useCallback((next: EventsSearch) => void navigate({ to: '/events', search: next }), [navigate]);
  const { cursor: _cursor, ws: _ws, ...filters } = search;
  const set = (name: 'type' | 'dag' | 'user', value: string): void => {
    const { [name]: _old, ...rest } = filters;
    show(value === '' ? rest : { ...rest, [name]: value });
  };
  const query = useEvents(search);
  return (
    <>
      <ScreenHeader title={t('events.title')}>
        <SelectField
          label={t('events.type')}
          isLabelHidden
          value={search.type ?? ''}
          options={[
            { value: '', label: t('events.type.all') },
            ...namedEvents.map((type) => ({ value: type, label: nameOf(type) })),
          ]}
          onChange={(type) => set('type', type)}
        />
        <FilterField label={t('events.filter')} value={search.dag ?? ''} onChange={(dag) => set('dag', dag)} />
        <FilterField label={t('events.user')} value={search.user ?? ''} onChange={(user) => set('user', user)} />
        <SavedViews list="/events" />
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ entries, nextCursor }) => (
          <>
            {entries.length === 0 ? (
              <NoEvents search={search} onClear={() => show({})} />
            ) : (
              <EventTable entries={entries} />
            )}
            <div className={styles.pager}>
              {search.cursor === undefined ? null : <Button onPress={() => show(filters)}>{t('events.newest')}</Button>}
              {nextCursor === undefined ? null : (
                <Button onPress={() => show({ ...filters, cursor: nextCursor })}>{t('events.older')}</Button>
              )}
            </div>
          </>
        )}
      </QueryPanel>
    </>
  );
}

function useEvents({ type, dag, user, cursor }: EventsSearch) {
  const query = {
    ...useWorkspaceScope(),
    limit: eventsPerPage,
    paginationMode: 'cursor' as const,
    ...(type === undefined ? {} : { type }),
    ...(dag === undefined ? {} : { dagName: dag }),
    ...(user === undefined ? {} : { userId: user }),
    ...(cursor === undefined ? {} : { cursor }),
  };
  return useQuery<Schemas['EventLogsResponse'], Failure>({
    queryKey: ['events', query],
    queryFn: ({ signal }) => unwrap(api.GET('/event-logs', { params: { query }, signal })),
  });
}

function EventTable({ entries }: { readonly entries: readonly Schemas['EventLogEntry'][] }): ReactElement {
  const t = useEventsMessages();
  const columns: readonly TableColumn<Schemas['EventLogEntry']>[] = [
    { id: 'time', name: t('events.time'), render: ({ occurredAt }) => <Time value={occurredAt} /> },
    { id: 'type', name: t('events.type'), isRowHeader: true, render: ({ type }) => <EventName type={type} /> },
    {
      id: 'run',
      name: t('events.run'),
      width: 'grow',
      render: ({ dagName, dagRunId }) =>
        dagName === undefined || dagRunId === undefined ? null : <RunLink name={dagName} dagRunId={dagRunId} />,
    },
    {
      id: 'detail',
      name: t('events.detail'),
      render: ({ data }) => {
        const text = describeEvent(data);
        return text === '' ? null : <span className={styles.detail}>{text}</span>;
      },
    },
    { id: 'actor', name: t('events.actor'), render: ({ userId }) => userId },
  ];
  return <Table label={t('events.title')} items={entries} getId={({ id }) => id} columns={columns} />;
}

function NoEvents({ search, onClear }: { readonly search: EventsSearch; readonly onClear: () => void }): ReactElement {
  const t = useEventsMessages();
  if (Object.keys(search).length === 0) {
    return <EmptyState title={t('events.empty.title')}>{t('events.empty.text')}</EmptyState>;
  }
  return (
    <EmptyState
      title={t('events.noMatch.title')}
      action={<Button onPress={onClear}>{t('events.noMatch.clear')}</Button>}
    >
      {t('events.noMatch.text')}
    </EmptyState>
  );
}
