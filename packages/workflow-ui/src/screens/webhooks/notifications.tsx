import { useQuery } from '@tanstack/react-query';
import { Button, IconButton, Menu, Panel, Switch, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time, unwrap, type Failure } from '@weir/ui-kit/app';
import { Ellipsis, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { ConfirmAction } from '../../parts/confirm-action';
import { ShownOnce } from '../../parts/shown-once/shown-once';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { AddNotification } from './add-notification';
import { NotificationDeliveries } from './notification-deliveries';
import { useWebhooksMessages } from './webhooks-messages';
import styles from '../../parts/screen-body.module.css';

type Subscription = Schemas['EventSubscription'];
const hourMs = 3_600_000;
type Layer =
  | { readonly kind: 'add' }
  | { readonly kind: 'secret'; readonly name: string; readonly secret: string }
  | { readonly kind: 'deliveries' | 'delete'; readonly subscription: Subscription };

/** Where others are told what happens to runs. Renders nothing for people who may not see it. */
export function Notifications(): ReactElement | null {
  const t = useWebhooksMessages();
  const isHidden = useRefusal('listEventSubscriptions') !== undefined;
  const [layer, setLayer] = useState<Layer | undefined>();
  const query = useQuery<Schemas['EventSubscriptionListResponse'], Failure>({
    queryKey: ['event-subscriptions'],
    queryFn: ({ signal }) => unwrap(api.GET('/event-subscriptions', { signal })),
    enabled: !isHidden,
  });
  const columns = useColumns(setLayer);
  const close = (): void => setLayer(undefined);
  if (isHidden) return null;
  return (
    <Panel
      title={t('notify.title')}
      description={t('notify.text')}
      actions={
        <Button onPress={() => setLayer({ kind: 'add' })}>
          <Plus aria-hidden size={16} />
          {t('notify.add')}
        </Button>
      }
    >
      <QueryPanel query={query}>
        {({ subscriptions }) =>
          subscriptions.length === 0 ? (
            <p className={styles.muted}>{t('notify.none')}</p>
          ) : (
            <div className={styles.bleed}>
              <Table label={t('notify.title')} items={subscriptions} getId={({ id }) => id} columns={columns} />
            </div>
          )
        }
      </QueryPanel>
      {layer?.kind === 'add' ? (
        <AddNotification
          onClose={close}
          onAdded={(name, secret) => setLayer(secret === undefined ? undefined : { kind: 'secret', name, secret })}
        />
      ) : null}
      {layer?.kind === 'secret' ? (
        <ShownOnce
          title={t('notify.secret.title', { name: layer.name })}
          label={t('notify.secret')}
          credential={layer.secret}
          onClose={close}
        />
      ) : null}
      {layer?.kind === 'deliveries' ? (
        <NotificationDeliveries subscription={layer.subscription} onClose={close} />
      ) : null}
      {layer?.kind === 'delete' ? <DeleteNotification subscription={layer.subscription} onClose={close} /> : null}
    </Panel>
  );
}

function useColumns(onLayer: (layer: Layer) => void): readonly TableColumn<Subscription>[] {
  const t = useWebhooksMessages();
  return [
    {
      id: 'name',
      name: t('notify.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ name, dagName, workspace }) => (
        <>
          <strong>{name}</strong> <span className={styles.muted}>{dagName ?? workspace ?? ''}</span>
        </>
      ),
    },
    {
      id: 'to',
      name: t('notify.to'),
      render: ({ kind, host }) => t('notify.to.text', { kind: t(`notify.kind.${kind}`), host }),
    },
    {
      id: 'events',
      name: t('notify.events'),
      render: ({ events }) => (
        <span className={styles.detail}>{events.map((event) => t(`notify.event.${event}`)).join(', ')}</span>
      ),
    },
    {
      id: 'state',
      name: t('notify.state'),
      render: (subscription) => <NotificationSwitch subscription={subscription} />,
    },
    {
      id: 'actions',
      isButtons: true,
      name: t('webhooks.actionsColumn'),
      align: 'end',
      render: (subscription) => <NotificationMenu subscription={subscription} onLayer={onLayer} />,
    },
  ];
}

function isSilent({ mutedUntil }: Subscription): boolean {
  return mutedUntil !== undefined && Date.parse(mutedUntil) > Date.now();
}

/** Says why the server has switched a subscription off. */
function NotificationSwitch({ subscription }: { readonly subscription: Subscription }): ReactElement {
  const t = useWebhooksMessages();
  const { id, name, enabled, disabledReason, failingSince } = subscription;
  const { mutate, isPending } = useAction<boolean>({
    run: (next) =>
      unwrap(
        api.PATCH('/event-subscriptions/{subscriptionId}', {
          params: { path: { subscriptionId: id } },
          body: { enabled: next },
        }),
      ),
    done: (next) => t(next ? 'notify.nowOn' : 'notify.nowOff', { name }),
    changes: ['event-subscriptions'],
  });
  const trouble = disabledReason ?? (failingSince === undefined ? undefined : t('notify.failing'));
  return (
    <>
      <Switch aria-label={t('notify.switch', { name })} isSelected={enabled} isDisabled={isPending} onChange={mutate}>
        {t(enabled ? 'notify.on' : 'notify.off')}
        {enabled && isSilent(subscription) ? (
          <span className={styles.muted}>
            {t('notify.mutedUntil')} <Time value={subscription.mutedUntil ?? ''} />
          </span>
        ) : null}
      </Switch>
      {trouble === undefined ? null : <span className={styles.error}> {trouble}</span>}
    </>
  );
}

interface NotificationMenuProps {
  readonly subscription: Subscription;
  readonly onLayer: (layer: Layer) => void;
}

function NotificationMenu({ subscription, onLayer }: NotificationMenuProps): ReactElement {
  const t = useWebhooksMessages();
  const { id, name, enabled } = subscription;
  const mute = useAction<number>({
    run: (hours) =>
      unwrap(
        api.PATCH('/event-subscriptions/{subscriptionId}', {
          params: { path: { subscriptionId: id } },
          body: { mutedUntil: hours === 0 ? null : new Date(Date.now() + hours * hourMs).toISOString() },
        }),
      ),
    done: (hours) => t(hours === 0 ? 'notify.nowOn' : 'notify.nowMuted', { name }),
    changes: ['event-subscriptions'],
  });
  const { mutate } = useAction({
    run: () =>
      unwrap(api.POST('/event-subscriptions/{subscriptionId}/test', { params: { path: { subscriptionId: id } } })),
    changes: ['event-deliveries'],
    // Its result is there in a moment.
    onDone: () => onLayer({ kind: 'deliveries', subscription }),
  });
  const label = t('notify.actions', { name });
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
      entries={[
        { id: 'test', label: t('notify.test'), isDisabled: !enabled, onSelect: () => mutate() },
        {
          id: 'deliveries',
          label: t('notify.deliveries'),
          onSelect: () => onLayer({ kind: 'deliveries', subscription }),
        },
        ...(isSilent(subscription)
          ? [{ id: 'unmute', label: t('notify.unmute'), onSelect: () => mute.mutate(0) }]
          : [1, 24].map((hours) => ({
              id: `mute-${hours}`,
              label: t('notify.mute', { hours }),
              isDisabled: !enabled,
              onSelect: () => mute.mutate(hours),
            }))),
        { id: 'delete', label: t('notify.delete'), onSelect: () => onLayer({ kind: 'delete', subscription }) },
      ]}
    />
  );
}

interface DeleteNotificationProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

function DeleteNotification({ subscription: { id, name }, onClose }: DeleteNotificationProps): ReactElement {
  const t = useWebhooksMessages();
  return (
    <ConfirmAction
      title={t('notify.delete.title', { name })}
      message={t('notify.delete.text', { name })}
      confirmLabel={t('notify.delete')}
      run={() =>
        unwrap(api.DELETE('/event-subscriptions/{subscriptionId}', { params: { path: { subscriptionId: id } } }))
      }
      done={() => t('notify.deleted', { name })}
      changes={['event-subscriptions']}
      onClose={onClose}
    />
  );
}
