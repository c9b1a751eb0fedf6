import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState, IconButton, Menu, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import { Ellipsis, Webhook as WebhookIcon } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Age } from '../../parts/age';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import { webhooksQuery, type Webhook } from '../../parts/webhook/webhook-data';
import { WebhookDialog, type WebhookLayer } from '../../parts/webhook/webhook-dialogs';
import { useWebhookMessages } from '../../parts/webhook/webhook-messages';
import { WebhookSwitch } from '../../parts/webhook/webhook-switch';
import { Notifications } from './notifications';
import { useWebhooksMessages } from './webhooks-messages';
import styles from '../../parts/screen-body.module.css';

/** The webhooks of all DAGs that the person sees, each created in the view of its DAG, and who is told of runs. */
export function WebhooksScreen(): ReactElement {
  const t = useWebhooksMessages();
  const query = useQuery(webhooksQuery);
  const [layer, setLayer] = useState<WebhookLayer | undefined>();
  const columns = useWebhookColumns(setLayer);
  const count = query.data?.webhooks.length;
  return (
    <>
      <ScreenHeader
        title={t('webhooks.title')}
        note={count === undefined ? undefined : t('webhooks.count', { count })}
      />
      <QueryPanel query={query}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <EmptyState
              title={t('webhooks.empty.title')}
              icon={<WebhookIcon aria-hidden size={32} />}
              action={<Link to="/dags">{t('webhooks.empty.action')}</Link>}
            >
              {t('webhooks.empty.text')}
            </EmptyState>
          ) : (
            <Table label={t('webhooks.title')} items={webhooks} getId={({ id }) => id} columns={columns} />
          )
        }
      </QueryPanel>
      <div className={styles.apart}>
        <Notifications />
      </div>
      {layer === undefined ? null : <WebhookDialog layer={layer} onLayer={setLayer} />}
    </>
  );
}

function useWebhookColumns(onLayer: (layer: WebhookLayer) => void): readonly TableColumn<Webhook>[] {
  const t = useWebhooksMessages();
  const w = useWebhookMessages();
  const refusal = useRefusal('toggleDAGWebhook');
  const isReadOnly = refusal !== undefined;
  return [
    {
      id: 'dag',
      name: t('webhooks.dag'),
      isRowHeader: true,
      width: 'grow',
      render: ({ dagName }) => (
        <Link to="/dags/$fileName" params={{ fileName: dagName }} search={{ tab: 'webhook' }}>
          {dagName}
        </Link>
      ),
    },
    {
      id: 'state',
      name: w('webhook.state'),
      render: (webhook) => <WebhookSwitch webhook={webhook} isReadOnly={isReadOnly} />,
    },
    { id: 'prefix', name: w('webhook.prefix'), render: ({ tokenPrefix }) => <code>{tokenPrefix}…</code> },
    {
      id: 'used',
      name: w('webhook.used'),
      render: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          <span className={styles.muted}>{w('webhook.neverUsed')}</span>
        ) : (
          <Age value={lastUsedAt} />
        ),
    },
    { id: 'created', name: w('webhook.createdAt'), render: ({ createdAt }) => <Time value={createdAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('webhooks.actionsColumn'),
      align: 'end',
      render: (webhook) => <WebhookMenu webhook={webhook} isReadOnly={isReadOnly} onLayer={onLayer} />,
    },
  ];
}

interface WebhookMenuProps {
  readonly webhook: Webhook;
  readonly isReadOnly: boolean;
  readonly onLayer: (layer: WebhookLayer) => void;
}

function WebhookMenu({ webhook: { dagName, verification }, isReadOnly, onLayer }: WebhookMenuProps): ReactElement {
  const t = useWebhooksMessages();
  const w = useWebhookMessages();
  const label = t('webhooks.actions', { name: dagName });
  const entry = (kind: 'regenerate' | 'replaceSecret' | 'delete', name: string) => ({
    id: kind,
    label: name,
    isDisabled: isReadOnly,
    onSelect: () => onLayer({ kind, dagName }),
  });
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
      entries={[
        verification.style === 'token'
          ? entry('regenerate', w('webhook.regenerate'))
          : entry('replaceSecret', w('webhook.secret.replace')),
        entry('delete', w('webhook.delete')),
      ]}
    />
  );
}
