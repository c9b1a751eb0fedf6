import { useQuery } from '@tanstack/react-query';
import { Button, Dialog, IconButton, StatusName, Table, Tooltip, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { RotateCcw } from 'lucide-react';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { useAppMessages } from '../../parts/text/app-messages';
import { useAction } from '../../parts/use-action';
import { useWebhooksMessages } from './webhooks-messages';
import styles from '../../parts/screen-body.module.css';

type Delivery = Schemas['EventDelivery'];

const statusKinds = { pending: 'running', delivered: 'succeeded', failed: 'failed' } as const;
/** How often deliveries are read again while one is under way. */
const pollMs = 2_000;

export interface NotificationDeliveriesProps {
  readonly subscription: Schemas['EventSubscription'];
  readonly onClose: () => void;
}

/** The newest messages that were sent, with the answers of the other side. */
export function NotificationDeliveries({ subscription, onClose }: NotificationDeliveriesProps): ReactElement {
  const t = useWebhooksMessages();
  const app = useAppMessages();
  const { id, name } = subscription;
  const query = useQuery<Schemas['EventDeliveryListResponse'], Failure>({
    queryKey: ['event-deliveries', id],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/event-subscriptions/{subscriptionId}/deliveries', {
          params: { path: { subscriptionId: id } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'pending') ? pollMs : false,
  });
  const columns = useColumns(id);
  return (
    <Dialog
      title={t('notify.deliveries.title', { name })}
      isOpen
      isWide
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={<Button onPress={onClose}>{app('app.close')}</Button>}
    >
      <QueryPanel query={query}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className={styles.muted}>{t('notify.deliveries.none')}</p>
          ) : (
            <Table label={t('notify.deliveries')} items={deliveries} getId={(each) => each.id} columns={columns} />
          )
        }
      </QueryPanel>
    </Dialog>
  );
}

function useColumns(subscriptionId: string): readonly TableColumn<Delivery>[] {
  const t = useWebhooksMessages();
  return [
    {
      id: 'type',
      name: t('notify.delivery.event'),
      isRowHeader: true,
      width: 'grow',
      render: ({ type }) => t(`notify.event.${type}`),
    },
    {
      id: 'status',
      name: t('notify.state'),
      render: ({ status, responseStatus, error }) => (
        <>
          <StatusName kind={statusKinds[status]} name={t(`notify.delivery.${status}`)} />{' '}
          <span className={styles.detail}>{error ?? responseStatus ?? ''}</span>
        </>
      ),
    },
    { id: 'attempts', name: t('notify.delivery.attempts'), align: 'end', render: ({ attempts }) => attempts },
    { id: 'at', name: t('notify.delivery.at'), render: ({ createdAt }) => <Age value={createdAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('webhooks.actionsColumn'),
      align: 'end',
      render: ({ id }) => <SendAgain subscriptionId={subscriptionId} deliveryId={id} />,
    },
  ];
}

interface SendAgainProps {
  readonly subscriptionId: string;
  readonly deliveryId: string;
}

function SendAgain({ subscriptionId, deliveryId }: SendAgainProps): ReactElement {
  const t = useWebhooksMessages();
  const { mutate, isPending } = useAction({
    run: () =>
      unwrap(
        api.POST('/event-subscriptions/{subscriptionId}/deliveries/{deliveryId}/redeliver', {
          params: { path: { subscriptionId, deliveryId } },
        }),
      ),
    changes: ['event-deliveries'],
  });
  const label = t('notify.delivery.again');
  return (
    <Tooltip text={label}>
      <IconButton
        icon={<RotateCcw aria-hidden size={16} />}
        label={label}
        isPending={isPending}
        onPress={() => mutate()}
      />
    </Tooltip>
  );
}
