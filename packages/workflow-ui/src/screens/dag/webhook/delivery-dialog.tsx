import { useQuery } from '@tanstack/react-query';
import { Dialog, Facts } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../../api/client';
import { useAppMessages } from '../../../parts/text/app-messages';
import { CopiedText } from '../../../parts/shown-once/shown-once';
import { useWebhookMessages } from '../../../parts/webhook/webhook-messages';

export interface DeliveryDialogProps {
  readonly dagName: string;
  readonly delivery: Schemas['WebhookDelivery'];
  readonly onClose: () => void;
}

/** The content of a call. */
export function DeliveryDialog({ dagName, delivery: { id }, onClose }: DeliveryDialogProps): ReactElement {
  const t = useWebhookMessages();
  const app = useAppMessages();
  const query = useQuery<Schemas['WebhookDeliveryDetails'], Failure>({
    queryKey: ['webhook', dagName, 'delivery', id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/dags/{fileName}/webhook/deliveries/{deliveryId}', {
          params: { path: { fileName: dagName, deliveryId: id } },
          signal,
        }),
      ),
  });
  return (
    <Dialog title={t('webhook.delivery.title')} isOpen onClose={onClose} closeLabel={app('app.close')}>
      <QueryPanel query={query}>
        {({ headers, body }) => (
          <>
            <Facts facts={Object.entries(headers).map(([name, value]) => ({ name, value: <code>{value}</code> }))} />
            {body === undefined ? (
              <p>{t('webhook.delivery.noBody')}</p>
            ) : (
              <CopiedText text={body} label={t('webhook.delivery.body')} />
            )}
          </>
        )}
      </QueryPanel>
    </Dialog>
  );
}
