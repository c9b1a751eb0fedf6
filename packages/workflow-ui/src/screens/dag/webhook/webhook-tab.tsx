import { useQuery } from '@tanstack/react-query';
import { Button, EmptyState, Facts, Panel } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap } from '@weir/ui-kit/app';
import { RefreshCw, Settings2, Trash2, Webhook as WebhookIcon } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { apiAddress } from '../../../api/api-address';
import { api } from '../../../api/client';
import { Age } from '../../../parts/age';
import { CopiedText } from '../../../parts/shown-once/shown-once';
import { useAction } from '../../../parts/use-action';
import { useRefusal } from '../../../parts/use-refusal';
import { DeliveryList } from './delivery-list';
import { webhookAddress, webhookCommand } from '../../../parts/webhook/webhook-call';
import { webhookQuery, type Webhook } from '../../../parts/webhook/webhook-data';
import { WebhookDialog, type WebhookLayer } from '../../../parts/webhook/webhook-dialogs';
import { useWebhookMessages } from '../../../parts/webhook/webhook-messages';
import { WebhookSwitch } from '../../../parts/webhook/webhook-switch';
import styles from './webhook.module.css';

export interface WebhookTabProps {
  readonly fileName: string;
  readonly workspace: string | undefined;
}

/** The address where other systems start the DAG. */
export function WebhookTab({ fileName, workspace }: WebhookTabProps): ReactElement {
  const query = useQuery(webhookQuery(fileName));
  const refusal = useRefusal('createDAGWebhook', workspace);
  const [layer, setLayer] = useState<WebhookLayer | undefined>();
  return (
    <div className={styles.tab}>
      <QueryPanel query={query}>
        {(webhook) =>
          webhook === null ? (
            <NoWebhook fileName={fileName} refusal={refusal} onLayer={setLayer} />
          ) : (
            <>
              <WebhookPanel webhook={webhook} refusal={refusal} onLayer={setLayer} />
              <DeliveryList dagName={fileName} refusal={refusal} />
            </>
          )
        }
      </QueryPanel>
      {layer === undefined ? null : <WebhookDialog layer={layer} onLayer={setLayer} />}
    </div>
  );
}

interface PartProps {
  readonly refusal: string | undefined;
  readonly onLayer: (layer: WebhookLayer) => void;
}

function NoWebhook({ fileName, refusal, onLayer }: PartProps & { readonly fileName: string }): ReactElement {
  const t = useWebhookMessages();
  const { mutate, isPending } = useAction({
    run: () => unwrap(api.POST('/dags/{fileName}/webhook', { params: { path: { fileName } } })),
    changes: ['webhooks', 'webhook'],
    onDone: ({ token }) => onLayer({ kind: 'token', dagName: fileName, token }),
  });
  return (
    <EmptyState
      title={t('webhook.none.title')}
      icon={<WebhookIcon aria-hidden size={32} />}
      action={
        <Button variant="primary" disabledReason={refusal} isPending={isPending} onPress={() => mutate()}>
          {t('webhook.create')}
        </Button>
      }
    >
      {t('webhook.none.text')}
    </EmptyState>
  );
}

function WebhookPanel({ webhook, refusal, onLayer }: PartProps & { readonly webhook: Webhook }): ReactElement {
  const t = useWebhookMessages();
  const { dagName, tokenPrefix, createdAt, lastUsedAt, verification } = webhook;
  const isByToken = verification.style === 'token';
  const newCredential = isByToken ? 'regenerate' : 'replaceSecret';
  return (
    <Panel
      title={t('webhook.switch', { name: dagName })}
      actions={
        <>
          <Button disabledReason={refusal} onPress={() => onLayer({ kind: 'settings', webhook })}>
            <Settings2 aria-hidden size={16} />
            {t('webhook.settings')}
          </Button>
          <Button disabledReason={refusal} onPress={() => onLayer({ kind: newCredential, dagName })}>
            <RefreshCw aria-hidden size={16} />
            {t(newCredential === 'regenerate' ? 'webhook.regenerate' : 'webhook.secret.replace')}
          </Button>
          <Button disabledReason={refusal} onPress={() => onLayer({ kind: 'delete', dagName })}>
            <Trash2 aria-hidden size={16} />
            {t('webhook.delete')}
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          {
            name: t('webhook.state'),
            value: <WebhookSwitch webhook={webhook} isReadOnly={refusal !== undefined} />,
          },
          { name: t('webhook.style'), value: t(`webhook.style.${verification.style}`) },
          ...(isByToken ? [{ name: t('webhook.prefix'), value: <code>{tokenPrefix}…</code> }] : []),
          {
            name: t('webhook.used'),
            value: lastUsedAt === undefined ? t('webhook.neverUsed') : <Age value={lastUsedAt} />,
          },
          { name: t('webhook.createdAt'), value: <Time value={createdAt} /> },
        ]}
      />
      <h3 className={styles.title}>{t('webhook.address')}</h3>
      <CopiedText text={webhookAddress(apiAddress, dagName)} label={t('webhook.address')} />
      {isByToken ? (
        <>
          <h3 className={styles.title}>{t('webhook.command')}</h3>
          <CopiedText text={webhookCommand(apiAddress, dagName)} label={t('webhook.command')} />
        </>
      ) : null}
    </Panel>
  );
}
