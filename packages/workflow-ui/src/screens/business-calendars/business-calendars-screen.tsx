import { useQuery } from '@tanstack/react-query';
import { Button, EmptyState, IconButton, Menu, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap } from '@weir/ui-kit/app';
import { CalendarCheck, Ellipsis, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { ConfirmAction } from '../../parts/confirm-action';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import { useBusinessCalendarsMessages } from './business-calendars-messages';
import { EditCalendar } from './edit-calendar';
import { YearView } from './year-view';
import styles from '../../parts/screen-body.module.css';

type Calendar = Schemas['CalendarSummary'];
type Action =
  { readonly kind: 'edit'; readonly name?: string } | { readonly kind: 'year' | 'delete'; readonly name: string };

/** The calendars on whose days schedules start runs. */
export function BusinessCalendarsScreen(): ReactElement {
  const t = useBusinessCalendarsMessages();
  const refusal = useRefusal('putBusinessCalendar');
  const query = useQuery({
    queryKey: ['business-calendars'],
    queryFn: ({ signal }) => unwrap(api.GET('/calendars', { signal })),
  });
  const [action, setAction] = useState<Action | undefined>();
  const close = (): void => setAction(undefined);
  const count = query.data?.calendars.length;
  const add = (
    <Button variant="primary" disabledReason={refusal} onPress={() => setAction({ kind: 'edit' })}>
      <Plus aria-hidden size={16} />
      {t('calendars.add')}
    </Button>
  );
  return (
    <>
      <ScreenHeader
        title={t('calendars.title')}
        note={count === undefined ? undefined : t('calendars.count', { count })}
      >
        {count === 0 ? null : add}
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ calendars }) =>
          calendars.length === 0 ? (
            <EmptyState title={t('calendars.empty.title')} icon={<CalendarCheck aria-hidden size={32} />} action={add}>
              {t('calendars.empty.text')}
            </EmptyState>
          ) : (
            <CalendarTable calendars={calendars} isReadOnly={refusal !== undefined} onAction={setAction} />
          )
        }
      </QueryPanel>
      {action?.kind === 'edit' ? <EditCalendar name={action.name} onClose={close} /> : null}
      {action?.kind === 'year' ? <YearView name={action.name} onClose={close} /> : null}
      {action?.kind === 'delete' ? <DeleteCalendar name={action.name} onClose={close} /> : null}
    </>
  );
}

interface DeleteCalendarProps {
  readonly name: string;
  readonly onClose: () => void;
}

function DeleteCalendar({ name, onClose }: DeleteCalendarProps): ReactElement {
  const t = useBusinessCalendarsMessages();
  const params = { path: { calendarName: name } };
  return (
    <ConfirmAction
      title={t('calendars.delete.title', { name })}
      message={t('calendars.delete.text')}
      confirmLabel={t('calendars.delete')}
      run={() => unwrap(api.DELETE('/calendars/{calendarName}', { params }))}
      done={() => t('calendars.deleted', { name })}
      changes={['business-calendars', 'business-calendar']}
      onClose={onClose}
    />
  );
}

interface CalendarTableProps {
  readonly calendars: readonly Calendar[];
  readonly isReadOnly: boolean;
  readonly onAction: (action: Action) => void;
}

function CalendarTable({ calendars, isReadOnly, onAction }: CalendarTableProps): ReactElement {
  const t = useBusinessCalendarsMessages();
  const columns: readonly TableColumn<Calendar>[] = [
    { id: 'name', name: t('calendars.name'), isRowHeader: true, render: ({ name }) => <strong>{name}</strong> },
    {
      id: 'description',
      name: t('calendars.description'),
      width: 'grow',
      render: ({ description }) => <span className={styles.muted}>{description}</span>,
    },
    { id: 'holidays', name: t('calendars.holidays'), align: 'end', render: ({ holidays }) => holidays },
    { id: 'include', name: t('calendars.include'), render: ({ include }) => include.join(', ') },
    { id: 'ends', name: t('calendars.ends'), render: ({ endsAt }) => endsAt ?? '' },
    { id: 'changed', name: t('calendars.changed'), render: ({ updatedAt }) => <Time value={updatedAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('calendars.actionsColumn'),
      align: 'end',
      render: ({ name }) => {
        const label = t('calendars.actions', { name });
        return (
          <Menu
            label={label}
            trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
            entries={[
              { id: 'year', label: t('calendars.year'), onSelect: () => onAction({ kind: 'year', name }) },
              {
                id: 'edit',
                label: t('calendars.edit'),
                isDisabled: isReadOnly,
                onSelect: () => onAction({ kind: 'edit', name }),
              },
              {
                id: 'delete',
                label: t('calendars.delete'),
                isDisabled: isReadOnly,
                onSelect: () => onAction({ kind: 'delete', name }),
              },
            ]}
          />
        );
      },
    },
  ];
  return <Table label={t('calendars.title')} items={calendars} getId={({ name }) => name} columns={columns} />;
}
