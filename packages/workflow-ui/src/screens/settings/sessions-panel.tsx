import { useQuery } from '@tanstack/react-query';
import { Button, IconButton, Panel, Table, Tooltip, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import { LogOut } from 'lucide-react';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { useAction } from '../../parts/use-action';
import { browserName } from './browser-name';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

type Session = Schemas['Session'];

/** The sessions of the person, which can be ended. */
export function SessionsPanel(): ReactElement {
  const t = useSettingsMessages();
  const query = useQuery<Schemas['SessionsResponse'], Failure>({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => unwrap(api.GET('/auth/sessions', { signal })),
  });
  const others = query.data?.sessions.filter(({ isCurrent }) => !isCurrent) ?? [];
  const { mutate, isPending } = useAction<readonly Session[]>({
    run: (sessions) =>
      Promise.all(
        sessions.map(({ id }) =>
          unwrap(api.DELETE('/auth/sessions/{sessionId}', { params: { path: { sessionId: id } } })),
        ),
      ),
    done: ({ length: count }) => t('settings.sessions.ended', { count }),
    changes: ['sessions'],
  });
  const columns = useSessionColumns((session) => mutate([session]));
  return (
    <Panel
      title={t('settings.sessions')}
      actions={
        others.length === 0 ? undefined : (
          <Button isPending={isPending} onPress={() => mutate(others)}>
            {t('settings.sessions.endOthers')}
          </Button>
        )
      }
    >
      <QueryPanel query={query}>
        {({ sessions }) => (
          <div className={styles.bleed}>
            <Table label={t('settings.sessions')} items={sessions} getId={({ id }) => id} columns={columns} />
          </div>
        )}
      </QueryPanel>
    </Panel>
  );
}

function useSessionColumns(onEnd: (session: Session) => void): readonly TableColumn<Session>[] {
  const t = useSettingsMessages();
  return [
    {
      id: 'browser',
      name: t('settings.sessions.browser'),
      isRowHeader: true,
      width: 'grow',
      render: ({ userAgent, isCurrent }) => (
        <span title={userAgent}>
          {browserName(userAgent)}
          {isCurrent ? <span className={styles.muted}> · {t('settings.sessions.current')}</span> : null}
        </span>
      ),
    },
    { id: 'address', name: t('settings.sessions.address'), render: ({ address }) => address },
    { id: 'created', name: t('settings.sessions.created'), render: ({ createdAt }) => <Time value={createdAt} /> },
    { id: 'used', name: t('settings.sessions.used'), render: ({ lastUsedAt }) => <Age value={lastUsedAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('settings.sessions.actions'),
      align: 'end',
      render: (session) =>
        session.isCurrent ? null : (
          <Tooltip text={t('settings.sessions.end')}>
            <IconButton
              icon={<LogOut aria-hidden size={16} />}
              label={t('settings.sessions.end')}
              onPress={() => onEnd(session)}
            />
          </Tooltip>
        ),
    },
  ];
}
