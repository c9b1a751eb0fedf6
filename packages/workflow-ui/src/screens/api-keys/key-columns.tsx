import { IconButton, Tooltip, type TableColumn } from '@weir/ui-kit';
import { Time } from '@weir/ui-kit/app';
import { RefreshCw, Trash2 } from 'lucide-react';
import type { Schemas } from '../../api/client';
import { AccessText } from '../../parts/access/access-fields';
import { Age } from '../../parts/age';
import { useRefusal } from '../../parts/use-refusal';
import { useApiKeysMessages } from './api-keys-messages';
import styles from '../../parts/screen-body.module.css';

type ApiKey = Schemas['APIKey'];

export interface KeyActions {
  readonly onRotate: (apiKey: ApiKey) => void;
  readonly onRevoke: (apiKey: ApiKey) => void;
}

export function useKeyColumns({ onRotate, onRevoke }: KeyActions): readonly TableColumn<ApiKey>[] {
  const t = useApiKeysMessages();
  const refusal = useRefusal('deleteAPIKey');
  const limitsOf = ({ scopes, allowedSurfaces, ownerUserId, ownerUsername }: ApiKey): readonly string[] => [
    ...(scopes === undefined ? [] : [t('keys.limitedTo', { scopes: scopes.join(', ') })]),
    ...(allowedSurfaces.length === 2 ? [] : [t(`keys.surface.${allowedSurfaces[0] === 'mcp' ? 'mcp' : 'api'}`)]),
    ...(ownerUserId === undefined ? [] : [t('keys.ownedBy', { owner: ownerUsername ?? ownerUserId })]),
  ];
  const none = (text: string) => <span className={styles.muted}>{text}</span>;
  return [
    {
      id: 'name',
      name: t('keys.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ name, description = '' }) => (
        <span title={description}>
          <strong>{name}</strong> {none(description)}
        </span>
      ),
    },
    {
      id: 'role',
      name: t('keys.role'),
      render: (apiKey) => (
        <>
          <AccessText access={apiKey} />
          {limitsOf(apiKey).map((limit) => (
            <span key={limit} className={styles.muted}>
              , {limit}
            </span>
          ))}
        </>
      ),
    },
    { id: 'prefix', name: t('keys.prefix'), render: ({ keyPrefix }) => <code>{keyPrefix}…</code> },
    {
      id: 'used',
      name: t('keys.used'),
      render: ({ lastUsedAt }) => (lastUsedAt === null ? none(t('keys.neverUsed')) : <Age value={lastUsedAt} />),
    },
    {
      id: 'expires',
      name: t('keys.expires'),
      render: ({ expiresAt }) => {
        if (expiresAt === null) return none(t('keys.neverExpires'));
        return Date.parse(expiresAt) < Date.now() ? t('keys.expired') : <Time value={expiresAt} />;
      },
    },
    {
      id: 'actions',
      isButtons: true,
      name: t('keys.actions'),
      align: 'end',
      render: (apiKey) => (
        <span className={styles.actions}>
          <Tooltip text={t('keys.rotate.hint')}>
            <IconButton
              icon={<RefreshCw aria-hidden size={16} />}
              label={t('keys.rotate', { name: apiKey.name })}
              disabledReason={refusal}
              onPress={() => onRotate(apiKey)}
            />
          </Tooltip>
          <Tooltip text={t('keys.revoke', { name: apiKey.name })}>
            <IconButton
              icon={<Trash2 aria-hidden size={16} />}
              label={t('keys.revoke', { name: apiKey.name })}
              disabledReason={refusal}
              onPress={() => onRevoke(apiKey)}
            />
          </Tooltip>
        </span>
      ),
    },
  ];
}
