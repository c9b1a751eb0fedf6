import { SelectField, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { accessEverywhere, AccessFields, type Access } from '../../parts/access/access-fields';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useApiKeysMessages } from './api-keys-messages';

const lifetimes = ['30', '90', '365', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];
const dayMs = 86_400_000;

export interface CreateKeyProps {
  readonly onClose: () => void;
  readonly onCreated: (name: string, secret: string) => void;
}

/** The name, the rights and the lifetime of a new key. */
export function CreateKey({ onClose, onCreated }: CreateKeyProps): ReactElement {
  const t = useApiKeysMessages();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [access, setAccess] = useState<Access>(accessEverywhere('operator'));
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const action = useAction({
    run: () => unwrap(api.POST('/api-keys', { body: toRequest({ name, description, lifetime }, access) })),
    changes: ['api-keys'],
    onDone: ({ key }) => onCreated(name, key),
    saysFailure: false,
  });
  return (
    <EditDialog title={t('keys.add')} submitLabel={t('keys.add')} action={action} onClose={onClose}>
      <TextField label={t('keys.name')} isRequired autoFocus maxLength={100} value={name} onChange={setName} />
      <TextField label={t('keys.description')} maxLength={500} value={description} onChange={setDescription} />
      <AccessFields access={access} onChange={setAccess} />
      <SelectField
        label={t('keys.expiry')}
        value={lifetime}
        options={lifetimes.map((value) => ({
          value,
          label: value === 'never' ? t('keys.expiry.never') : t('keys.expiry.days', { days: Number(value) }),
        }))}
        onChange={setLifetime}
      />
    </EditDialog>
  );
}

interface NewKey {
  readonly name: string;
  readonly description: string;
  readonly lifetime: Lifetime;
}

function toRequest(
  { name, description, lifetime }: NewKey,
  { role, workspaceAccess }: Access,
): Schemas['CreateAPIKeyRequest'] {
  return {
    name,
    role,
    workspaceAccess,
    ...(description === '' ? {} : { description }),
    ...(lifetime === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString() }),
  };
}
