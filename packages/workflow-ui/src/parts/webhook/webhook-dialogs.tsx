import type { ReactElement } from 'react';
import { apiAddress } from '../../api/api-address';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { ConfirmAction } from '../confirm-action';
import { CopiedText, ShownOnce } from '../shown-once/shown-once';
import { webhookCommand } from './webhook-call';
import type { Webhook } from './webhook-data';
import { useWebhookMessages } from './webhook-messages';
import { WebhookSettingsDialog } from './webhook-settings';

/** A webhook with its new token. */
export interface WebhookToken {
  readonly dagName: string;
  readonly token: string;
}

export type WebhookLayer =
  | { readonly kind: 'delete' | 'regenerate' | 'replaceSecret'; readonly dagName: string }
  | { readonly kind: 'settings'; readonly webhook: Webhook }
  | { readonly kind: 'secret'; readonly dagName: string; readonly secret: string }
  | ({ readonly kind: 'token' } & WebhookToken);

export interface WebhookDialogProps {
  readonly layer: WebhookLayer;
  readonly onLayer: (layer: WebhookLayer | undefined) => void;
}

/** The window of an action on a webhook. */
export function WebhookDialog({ layer, onLayer }: WebhookDialogProps): ReactElement {
  const t = useWebhookMessages();
  const onClose = (): void => onLayer(undefined);
  switch (layer.kind) {
    case 'settings': {
      const { dagName } = layer.webhook;
      return (
        <WebhookSettingsDialog
          webhook={layer.webhook}
          onSaved={(secret) => onLayer(secret === undefined ? undefined : { kind: 'secret', dagName, secret })}
          onClose={onClose}
        />
      );
    }
    case 'secret':
      return (
        <ShownOnce
          title={t('webhook.secret.title', { name: layer.dagName })}
          label={t('webhook.secret')}
          credential={layer.secret}
          onClose={onClose}
        />
      );
    case 'replaceSecret':
      return <ReplaceSecret dagName={layer.dagName} onLayer={onLayer} />;
    case 'token':
      return <ShownToken shown={layer} onClose={onClose} />;
    case 'regenerate':
      return <Regenerate dagName={layer.dagName} onLayer={onLayer} />;
    case 'delete':
      return <Delete dagName={layer.dagName} onClose={onClose} />;
  }
}

interface ShownTokenProps {
  readonly shown: WebhookToken;
  readonly onClose: () => void;
}

function ShownToken({ shown: { dagName, token }, onClose }: ShownTokenProps): ReactElement {
  const t = useWebhookMessages();
  return (
    <ShownOnce
      title={t('webhook.created', { name: dagName })}
      label={t('webhook.token')}
      credential={token}
      onClose={onClose}
    >
      <CopiedText text={webhookCommand(apiAddress, dagName)} label={t('webhook.command')} />
    </ShownOnce>
  );
}

interface OneWebhookProps {
  readonly dagName: string;
  readonly onClose: () => void;
}

interface NewCredentialProps {
  readonly dagName: string;
  readonly onLayer: (layer: WebhookLayer | undefined) => void;
}

function Regenerate({ dagName, onLayer }: NewCredentialProps): ReactElement {
  const t = useWebhookMessages();
  const params = { path: { fileName: dagName } };
  return (
    <ConfirmAction
      title={t('webhook.regenerate.title', { name: dagName })}
      message={t('webhook.regenerate.text')}
      confirmLabel={t('webhook.regenerate')}
      run={() => unwrap(api.POST('/dags/{fileName}/webhook/regenerate', { params }))}
      changes={['webhooks', 'webhook']}
      onDone={({ token }) => onLayer({ kind: 'token', dagName, token })}
      onClose={() => onLayer(undefined)}
    />
  );
}

function ReplaceSecret({ dagName, onLayer }: NewCredentialProps): ReactElement {
  const t = useWebhookMessages();
  const params = { path: { fileName: dagName } };
  return (
    <ConfirmAction
      title={t('webhook.secret.title', { name: dagName })}
      message={t('webhook.secret.text')}
      confirmLabel={t('webhook.secret.replace')}
      run={() => unwrap(api.POST('/dags/{fileName}/webhook/secret', { params }))}
      changes={['webhooks', 'webhook']}
      onDone={({ secret }) => onLayer(secret === undefined ? undefined : { kind: 'secret', dagName, secret })}
      onClose={() => onLayer(undefined)}
    />
  );
}

function Delete({ dagName: name, onClose }: OneWebhookProps): ReactElement {
  const t = useWebhookMessages();
  return (
    <ConfirmAction
      title={t('webhook.delete.title', { name })}
      message={t('webhook.delete.text', { name })}
      confirmLabel={t('webhook.delete')}
      run={() => unwrap(api.DELETE('/dags/{fileName}/webhook', { params: { path: { fileName: name } } }))}
      done={() => t('webhook.deleted', { name })}
      changes={['webhooks', 'webhook']}
      onClose={onClose}
    />
  );
}
