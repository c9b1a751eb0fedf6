import { useQuery } from '@tanstack/react-query';
import { Button, IconButton, Panel, StatusName, Table, Tooltip, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { Eye, RotateCcw } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../../api/client';
import { Age } from '../../../parts/age';
import { RunLink } from '../../../parts/run-link';
import { useAction } from '../../../parts/use-action';
import { DeliveryDialog } from './delivery-dialog';
import { useWebhookMessages } from '../../../parts/webhook/webhook-messages';
import styles from '../../../parts/screen-body.module.css';

type Delivery = Schemas['WebhookDelivery'];

export interface DeliveryListProps {
  readonly dagName: string;
  readonly refusal: string | undefined;
}

/** The newest calls of a webhook, which can be opened and sent again. */
export function DeliveryList({ dagName, refusal }: DeliveryListProps): ReactElement {
  const t = useWebhookMessages();
  const [shown, setShown] = useState<Delivery | undefined>();
  const query = useQuery<Schemas['WebhookDeliveryListResponse'], Failure>({
    queryKey: ['webhook', dagName, 'deliveries'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dags/{fileName}/webhook/deliveries', { params: { path: { fileName: dagName } }, signal })),
  });
  const columns = useDeliveryColumns({ dagName, refusal, onShow: setShown });
  return (
    <Panel
      title={t('webhook.deliveries')}
      actions={<Button onPress={() => void query.refetch()}>{t('webhook.deliveries.refresh')}</Button>}
    >
      <QueryPanel query={query}>
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className={styles.muted}>{t('webhook.deliveries.none')}</p>
          ) : (
            <div className={styles.bleed}>
              <Table label={t('webhook.deliveries')} items={deliveries} getId={({ id }) => id} columns={columns} />
            </div>
          )
        }
      </QueryPanel>
      {shown === undefined ? null : (
        <DeliveryDialog dagName={dagName} delivery={shown} onClose={() => setShown(undefined)} />
      )}
    </Panel>
  );
}

interface DeliveryActions extends DeliveryListProps {
  readonly onShow: (delivery: Delivery) => void;
}

function useDeliveryColumns({ dagName, refusal, onShow }: DeliveryActions): readonly TableColumn<Delivery>[] {
  const t = useWebhookMessages();
  return [
    { id: 'time', name: t('webhook.delivery.time'), render: ({ receivedAt }) => <Age value={receivedAt} /> },
    {
      id: 'outcome',
      name: t('webhook.delivery.outcome'),
      isRowHeader: true,
      width: 'grow',
      render: ({ outcome, message = '' }) => (
        <>
          <StatusName kind={outcome === 'started' ? 'succeeded' : 'failed'} name={t(`webhook.delivery.${outcome}`)} />{' '}
          <span className={styles.muted}>{message}</span>
        </>
      ),
    },
    {
      id: 'run',
      name: t('webhook.delivery.run'),
      render: ({ dagRunId }) => (dagRunId === undefined ? null : <RunLink name={dagName} dagRunId={dagRunId} />),
    },
    { id: 'address', name: t('webhook.delivery.address'), render: ({ address }) => address },
    {
      id: 'actions',
      isButtons: true,
      name: t('webhook.delivery.actions'),
      align: 'end',
      render: (delivery) => (
        <span className={styles.actions}>
          <Tooltip text={t('webhook.delivery.show')}>
            <IconButton
              icon={<Eye aria-hidden size={16} />}
              label={t('webhook.delivery.show')}
              onPress={() => onShow(delivery)}
            />
          </Tooltip>
          <Redeliver dagName={dagName} delivery={delivery} refusal={refusal} />
        </span>
      ),
    },
  ];
}

interface RedeliverProps extends DeliveryListProps {
  readonly delivery: Delivery;
}

function Redeliver({ dagName, delivery: { id, hasBody }, refusal }: RedeliverProps): ReactElement {
  const t = useWebhookMessages();
  const { mutate, isPending } = useAction({
    run: () =>
      unwrap(
        api.POST('/dags/{fileName}/webhook/deliveries/{deliveryId}/redeliver', {
          params: { path: { fileName: dagName, deliveryId: id } },
        }),
      ),
    done: (_input, { dagRunId }) => t('webhook.delivery.sent', { dagRunId }),
    changes: ['webhook'],
  });
  return (
    <Tooltip text={t('webhook.delivery.again')}>
      <IconButton
        icon={<RotateCcw aria-hidden size={16} />}
        label={t('webhook.delivery.again')}
        isPending={isPending}
        disabledReason={refusal ?? (hasBody ? undefined : t('webhook.delivery.noBody'))}
        onPress={() => mutate()}
      />
    </Tooltip>
  );
}
