import { IconButton, Menu, StatusName, Table, type MenuEntry, type StatusKind, type TableColumn } from '@weir/ui-kit';
import { Ellipsis } from 'lucide-react';
import type { ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { changedBySync, type SyncItem } from './sync-data';
import type { SyncLayer } from './sync-dialogs';
import { useSyncMessages } from './sync-messages';
import styles from '../../parts/screen-body.module.css';

export interface SyncTableProps {
  readonly items: readonly SyncItem[];
  readonly onLayer: (layer: SyncLayer) => void;
}

/** Files that need attention come first. */
const order: readonly SyncItem['status'][] = ['conflict', 'missing', 'modified', 'untracked', 'synced'];

export function SyncTable({ items, onLayer }: SyncTableProps): ReactElement {
  const t = useSyncMessages();
  const columns: readonly TableColumn<SyncItem>[] = [
    {
      id: 'file',
      name: t('sync.file'),
      isRowHeader: true,
      width: 'grow',
      render: ({ filePath }) => <strong>{filePath}</strong>,
    },
    { id: 'kind', name: t('sync.kind'), render: ({ kind }) => t(`sync.kind.${kind}`) },
    { id: 'status', name: t('sync.status'), render: (item) => <ItemStatus item={item} /> },
    {
      id: 'remote',
      name: t('sync.remote'),
      render: ({ remoteMessage, remoteAuthor = '' }) =>
        remoteMessage === undefined ? (
          <span className={styles.muted}>–</span>
        ) : (
          <span className={styles.detail} title={remoteMessage}>
            {remoteMessage} {t('sync.remote.by', { author: remoteAuthor })}
          </span>
        ),
    },
    {
      id: 'actions',
      isButtons: true,
      name: t('sync.actionsColumn'),
      align: 'end',
      render: (item) => <ItemMenu item={item} onLayer={onLayer} />,
    },
  ];
  const sorted = items.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
  return <Table label={t('sync.title')} items={sorted} getId={({ itemId }) => itemId} columns={columns} />;
}

const kinds: Readonly<Record<SyncItem['status'], StatusKind>> = {
  synced: 'succeeded',
  modified: 'waiting',
  untracked: 'queued',
  conflict: 'failed',
  missing: 'aborted',
};

function ItemStatus({ item: { status, behind } }: { readonly item: SyncItem }): ReactElement {
  const t = useSyncMessages();
  if (behind) return <StatusName kind="queued" name={t('sync.status.behind')} />;
  return <StatusName kind={kinds[status]} name={t(`sync.status.${status}`)} />;
}

interface ItemMenuProps {
  readonly item: SyncItem;
  readonly onLayer: (layer: SyncLayer) => void;
}

function ItemMenu({ item, onLayer }: ItemMenuProps): ReactElement {
  const t = useSyncMessages();
  const { itemId, status } = item;
  const refusal = useRefusal('publishSyncItem');
  const label = t('sync.actions', { name: itemId });
  const publish = useAction({
    run: () => unwrap(api.POST('/sync/items/{itemId}/publish', { params: { path: { itemId } }, body: {} })),
    done: (_, { message = '' }) => message,
    changes: changedBySync,
  });
  const isIn = (...statuses: readonly SyncItem['status'][]): boolean => statuses.includes(status);
  const open = (kind: 'compare' | 'force' | 'discard' | 'delete') => () => onLayer({ kind, item });
  const changes: readonly MenuEntry[] = [
    ...(isIn('modified', 'untracked')
      ? [{ id: 'publish', label: t('sync.publish'), onSelect: () => publish.mutate() }]
      : []),
    ...(isIn('conflict') ? [{ id: 'force', label: t('sync.publish.force'), onSelect: open('force') }] : []),
    ...(isIn('modified', 'conflict', 'missing')
      ? [{ id: 'discard', label: t('sync.discard'), onSelect: open('discard') }]
      : []),
    ...(isIn('synced', 'missing') ? [{ id: 'delete', label: t('sync.delete'), onSelect: open('delete') }] : []),
  ];
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
      entries={[
        { id: 'compare', label: t('sync.compare'), onSelect: open('compare') },
        ...(refusal === undefined ? changes : []),
      ]}
    />
  );
}
