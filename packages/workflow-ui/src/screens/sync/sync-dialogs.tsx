import type { ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { ConfirmAction } from '../../parts/confirm-action';
import { CompareVersions } from './compare-versions';
import { changedBySync, type SyncItem } from './sync-data';
import { useSyncMessages } from './sync-messages';
import { SyncSettings } from './sync-settings';

export type SyncLayer =
  | { readonly kind: 'settings' }
  | { readonly kind: 'compare' | 'force' | 'discard' | 'delete'; readonly item: SyncItem };

export interface SyncDialogProps {
  readonly layer: SyncLayer;
  readonly onClose: () => void;
}

/** The window over the list. */
export function SyncDialog({ layer, onClose }: SyncDialogProps): ReactElement {
  if (layer.kind === 'settings') return <SyncSettings onClose={onClose} />;
  if (layer.kind === 'compare') return <CompareVersions item={layer.item} onClose={onClose} />;
  return <ConfirmChange kind={layer.kind} item={layer.item} onClose={onClose} />;
}

interface ConfirmChangeProps {
  readonly kind: 'force' | 'discard' | 'delete';
  readonly item: SyncItem;
  readonly onClose: () => void;
}

function ConfirmChange({ kind, item: { itemId: name }, onClose }: ConfirmChangeProps): ReactElement {
  const t = useSyncMessages();
  const params = { path: { itemId: name } };
  const common = { changes: changedBySync, onClose };
  switch (kind) {
    case 'force':
      return (
        <ConfirmAction
          {...common}
          title={t('sync.publish.title', { name })}
          message={t('sync.publish.text')}
          confirmLabel={t('sync.publish')}
          run={() => unwrap(api.POST('/sync/items/{itemId}/publish', { params, body: { force: true } }))}
          done={(_, { message = '' }) => message}
        />
      );
    case 'discard':
      return (
        <ConfirmAction
          {...common}
          title={t('sync.discard.title', { name })}
          message={t('sync.discard.text')}
          confirmLabel={t('sync.discard')}
          run={() => unwrap(api.POST('/sync/items/{itemId}/discard', { params }))}
          done={() => t('sync.discarded', { name })}
        />
      );
    case 'delete':
      return (
        <ConfirmAction
          {...common}
          title={t('sync.delete.title', { name })}
          message={t('sync.delete.text', { name })}
          confirmLabel={t('sync.delete')}
          run={() => unwrap(api.POST('/sync/items/{itemId}/delete', { params, body: {} }))}
          done={() => t('sync.deleted', { name })}
        />
      );
  }
}
