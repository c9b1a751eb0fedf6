import { Switch } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useToggleWebhook, type Webhook } from './webhook-data';
import { useWebhookMessages } from './webhook-messages';

export interface WebhookSwitchProps {
  readonly webhook: Webhook;
  readonly isReadOnly: boolean;
}

/** Switches whether a webhook starts runs. */
export function WebhookSwitch({ webhook: { dagName, enabled }, isReadOnly }: WebhookSwitchProps): ReactElement {
  const t = useWebhookMessages();
  const { mutate, isPending } = useToggleWebhook(dagName);
  return (
    <Switch
      aria-label={t('webhook.switch', { name: dagName })}
      isSelected={enabled}
      isDisabled={isReadOnly || isPending}
      onChange={(next) => mutate(next)}
    >
      {t(enabled ? 'webhook.on' : 'webhook.off')}
    </Switch>
  );
}
