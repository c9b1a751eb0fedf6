import { SelectField, TextAreaField, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { EditDialog } from '../edit-dialog';
import { useAction } from '../use-action';
import type { Webhook } from './webhook-data';
import { useWebhookMessages } from './webhook-messages';

type Style = Schemas['WebhookVerification']['style'];

const webhookStyles = ['token', 'github', 'gitlab', 'standard', 'stripe', 'hmac'] as const satisfies Style[];

export interface WebhookSettingsDialogProps {
  readonly webhook: Webhook;
  /** Called with the secret that was created for a new style, if any. */
  readonly onSaved: (secret: string | undefined) => void;
  readonly onClose: () => void;
}

/** Settings for the proof of senders, the mapping of calls, and their limit. */
export function WebhookSettingsDialog({ webhook, onSaved, onClose }: WebhookSettingsDialogProps): ReactElement {
  const t = useWebhookMessages();
  const { dagName, verification } = webhook;
  const [style, setStyle] = useState<Style>(verification.style);
  const [secretRef, setSecretRef] = useState(webhook.secretRef ?? '');
  const [paramsFilter, setParamsFilter] = useState(webhook.paramsFilter ?? '');
  const [calls, setCalls] = useState(String(webhook.callsPerMinute));
  const action = useAction({
    run: () =>
      unwrap(
        api.PUT('/dags/{fileName}/webhook/settings', {
          params: { path: { fileName: dagName } },
          body: {
            // The details of a style are kept as long as the style.
            verification: style === verification.style ? verification : { style },
            secretRef: secretRef === '' ? null : secretRef,
            paramsFilter: paramsFilter === '' ? null : paramsFilter,
            callsPerMinute: Number(calls),
          },
        }),
      ),
    done: () => t('webhook.settings.saved', { name: dagName }),
    changes: ['webhooks', 'webhook'],
    onDone: ({ secret }) => onSaved(secret),
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('webhook.settings.title', { name: dagName })}
      submitLabel={t('webhook.settings.save')}
      action={action}
      onClose={onClose}
    >
      <SelectField
        label={t('webhook.style')}
        value={style}
        options={webhookStyles.map((value) => ({ value, label: t(`webhook.style.${value}`) }))}
        onChange={setStyle}
      />
      {style === 'token' ? null : (
        <TextField
          label={t('webhook.secretRef')}
          description={t('webhook.secretRef.hint')}
          value={secretRef}
          onChange={setSecretRef}
        />
      )}
      <TextAreaField
        label={t('webhook.filter')}
        description={t('webhook.filter.hint')}
        isMonospaced
        rows={2}
        value={paramsFilter}
        onChange={setParamsFilter}
      />
      <TextField label={t('webhook.calls')} isRequired inputMode="numeric" value={calls} onChange={setCalls} />
    </EditDialog>
  );
}
