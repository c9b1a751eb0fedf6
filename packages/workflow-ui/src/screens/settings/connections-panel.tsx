import { useQuery } from '@tanstack/react-query';
import { CopyButton, IconButton, Panel, Table, Tooltip, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import { Unplug } from 'lucide-react';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { useAction } from '../../parts/use-action';
import { useSettingsMessages } from './settings-messages';
import styles from './settings.module.css';

type Connection = Schemas['ClientConnection'];

/** The chat clients that the person has connected, which can be ended, and how to connect another one. */
export function ConnectionsPanel(): ReactElement {
  const t = useSettingsMessages();
  const query = useQuery<Schemas['ClientConnectionsResponse'], Failure>({
    queryKey: ['connections'],
    queryFn: ({ signal }) => unwrap(api.GET('/auth/connections', { signal })),
  });
  const { mutate } = useAction<Connection>({
    run: ({ id }) => unwrap(api.DELETE('/auth/connections/{connectionId}', { params: { path: { connectionId: id } } })),
    done: () => t('settings.connections.ended'),
    changes: ['connections'],
  });
  const columns = useConnectionColumns(mutate);
  return (
    <Panel title={t('settings.connections')} description={t('settings.connections.text')}>
      <QueryPanel query={query}>
        {({ connections, resource, unavailableReason }) => (
          <div className={styles.results}>
            {resource === null ? (
              <p className={styles.muted}>{unavailableReason}</p>
            ) : (
              <p>
                {t('settings.connections.address')} <code>{resource}</code>{' '}
                <CopyButton text={resource} label={t('settings.connections.copy')} />
              </p>
            )}
            {connections.length === 0 ? (
              <p className={styles.muted}>{t('settings.connections.none')}</p>
            ) : (
              <div className={styles.bleed}>
                <Table label={t('settings.connections')} items={connections} getId={({ id }) => id} columns={columns} />
              </div>
            )}
          </div>
        )}
      </QueryPanel>
    </Panel>
  );
}

function useConnectionColumns(onEnd: (connection: Connection) => void): readonly TableColumn<Connection>[] {
  const t = useSettingsMessages();
  return [
    {
      id: 'client',
      name: t('settings.connections.client'),
      isRowHeader: true,
      width: 'grow',
      render: ({ clientName, redirectAddress }) => <span title={redirectAddress}>{clientName}</span>,
    },
    {
      id: 'access',
      name: t('settings.connections.access'),
      render: ({ access }) => t(`settings.connections.access.${access}`),
    },
    { id: 'created', name: t('settings.connections.created'), render: ({ createdAt }) => <Time value={createdAt} /> },
    { id: 'used', name: t('settings.connections.used'), render: ({ lastUsedAt }) => <Age value={lastUsedAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('settings.connections.actions'),
      align: 'end',
      render: (connection) => (
        <Tooltip text={t('settings.connections.end')}>
          <IconButton
            icon={<Unplug aria-hidden size={16} />}
            label={t('settings.connections.end')}
            onPress={() => onEnd(connection)}
          />
        </Tooltip>
      ),
    },
  ];
}
