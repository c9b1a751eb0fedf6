import { RadioField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useApiKeysMessages } from './api-keys-messages';

const manners = ['overlap', 'replace'] as const;
type Manner = (typeof manners)[number];

export interface RotateKeyProps {
  readonly apiKey: Schemas['APIKey'];
  readonly onClose: () => void;
  readonly onCreated: (name: string, secret: string) => void;
}

/** A new key with the rights of an old one, which is revoked later or at once. */
export function RotateKey({ apiKey, onClose, onCreated }: RotateKeyProps): ReactElement {
  const t = useApiKeysMessages();
  const [manner, setManner] = useState<Manner>('overlap');
  const action = useAction({
    run: () => (manner === 'overlap' ? createSecond(apiKey) : replace(apiKey)),
    changes: ['api-keys'],
    onDone: ({ apiKey: { name }, key }) => onCreated(name, key),
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('keys.rotate', { name: apiKey.name })}
      submitLabel={t('keys.rotateNow')}
      action={action}
      onClose={onClose}
    >
      <RadioField
        label={t('keys.rotate.old')}
        value={manner}
        options={manners.map((value) => ({
          value,
          label: t(`keys.rotate.${value}`),
          description: t(`keys.rotate.${value}.hint`, { name: apiKey.name }),
        }))}
        onChange={setManner}
      />
    </EditDialog>
  );
}

type Created = Promise<Schemas['CreateAPIKeyResponse']>;

function replace({ id }: Schemas['APIKey']): Created {
  return unwrap(api.POST('/api-keys/{keyId}/rotate', { params: { path: { keyId: id } } }));
}

/** Creates a key with the same rights, limits, owner and lifetime as the first one had when it was created. */
function createSecond(apiKey: Schemas['APIKey']): Created {
  const { name, description, role, workspaceAccess, scopes, allowedSurfaces, createdAt, expiresAt } = apiKey;
  const { attributionClass, ownerUserId, serviceAccountName } = apiKey;
  return unwrap(
    api.POST('/api-keys', {
      body: {
        name: nextName(name),
        role,
        workspaceAccess,
        allowedSurfaces,
        attributionClass,
        ...(ownerUserId === undefined ? {} : { ownerUserId }),
        ...(serviceAccountName === undefined ? {} : { serviceAccountName }),
        ...(scopes === undefined ? {} : { scopes }),
        ...(description === undefined ? {} : { description }),
        ...(expiresAt === null
          ? {}
          : { expiresAt: new Date(Date.now() + Date.parse(expiresAt) - Date.parse(createdAt)).toISOString() }),
      },
    }),
  );
}

/** Returns `ci 2` for `ci`, `ci 3` for `ci 2`, because names are unique. */
function nextName(name: string): string {
  const [, stem = name, number = '1'] = /^(.*) (\d+)$/.exec(name) ?? [];
  return `${stem} ${Number(number) + 1}`;
}
