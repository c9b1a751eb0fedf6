import { Button, Dialog, SelectField, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '../../api/failure';
import { useAppMessages } from '../../app/text/app-messages';
import { accessEverywhere, AccessFields, type Access } from '../../parts/access/access-fields';
import { CopyButton } from '../../parts/copy-button';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useApiKeysMessages } from './api-keys-messages';
import styles from './api-keys.module.css';

const lifetimes = ['30', '90', '365', 'never'] as const;
type Lifetime = (typeof lifetimes)[number];
const dayMs = 86_400_000;

export interface CreateKeyProps {
  /** A key whose rights the new one gets at first. */
  readonly model: Schemas['APIKey'] | undefined;
  readonly onClose: () => void;
  readonly onCreated: (name: string, secret: string) => void;
}

/** The name, the rights and the lifetime of a new key. */
export function CreateKey({ model, onClose, onCreated }: CreateKeyProps): ReactElement {
  const t = useApiKeysMessages();
  const [name, setName] = useState(model === undefined ? '' : `${model.name} 2`);
  const [description, setDescription] = useState(model?.description ?? '');
  const [access, setAccess] = useState<Access>(model ?? accessEverywhere('operator'));
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const action = useAction({
    run: () => unwrap(api.POST('/api-keys', { body: toRequest({ name, description, lifetime }, access) })),
    changes: ['api-keys'],
    onDone: ({ key }) => onCreated(name, key),
    saysFailure: false,
  });
  return (
    <EditDialog
      title={model === undefined ? t('keys.add') : t('keys.rotate', { name: model.name })}
      submitLabel={t('keys.add')}
      action={action}
      onClose={onClose}
    >
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
    ...{ name, role, workspaceAccess },
    ...(description === '' ? {} : { description }),
    ...(lifetime === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(lifetime) * dayMs).toISOString() }),
  };
}

export interface CreatedKeyProps {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** The one time that a key is shown. */
export function CreatedKey({ name, secret, onClose }: CreatedKeyProps): ReactElement {
  const t = useApiKeysMessages();
  const app = useAppMessages();
  return (
    <Dialog
      title={t('keys.created.title', { name })}
      isOpen
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <Button variant="primary" onPress={onClose}>
          {t('keys.done')}
        </Button>
      }
    >
      <p>{t('keys.created.text')}</p>
      <p className={styles.secret}>
        <code aria-label={t('keys.created.key')}>{secret}</code>
        <CopyButton text={secret} label={t('keys.copy')} />
      </p>
    </Dialog>
  );
}
