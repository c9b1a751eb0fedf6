import { Link } from '@tanstack/react-router';
import { Dialog, TextAreaField, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { ConfirmAction } from '../../parts/confirm-action';
import { EditDialog } from '../../parts/edit-dialog';
import { useAppMessages } from '../../parts/text/app-messages';
import { useAction } from '../../parts/use-action';
import type { Secret } from './secrets-data';
import { useSecretsMessages } from './secrets-messages';
import styles from './secrets.module.css';

export type SecretAction =
  | { readonly kind: 'add'; readonly workspace: string | undefined }
  | { readonly kind: 'dags' | 'write' | 'describe' | 'delete'; readonly secret: Secret };

export interface SecretDialogProps {
  readonly action: SecretAction;
  readonly onClose: () => void;
}

/** The window of an action on secrets. */
export function SecretDialog({ action, onClose }: SecretDialogProps): ReactElement {
  switch (action.kind) {
    case 'add':
      return <AddSecret workspace={action.workspace} onClose={onClose} />;
    case 'dags':
      return <SecretDags secret={action.secret} onClose={onClose} />;
    case 'write':
      return <WriteValue secret={action.secret} onClose={onClose} />;
    case 'describe':
      return <Describe secret={action.secret} onClose={onClose} />;
    case 'delete':
      return <DeleteSecret secret={action.secret} onClose={onClose} />;
  }
}

interface AddSecretProps {
  readonly workspace: string | undefined;
  readonly onClose: () => void;
}

function AddSecret({ workspace, onClose }: AddSecretProps): ReactElement {
  const t = useSecretsMessages();
  const [ref, setRef] = useState('');
  const [description, setDescription] = useState('');
  const [value, setValue] = useState('');
  const action = useAction({
    run: () =>
      unwrap(
        api.POST('/secrets', {
          body: {
            ref,
            providerType: 'dagu-managed',
            ...(workspace === undefined ? {} : { workspace }),
            ...(description === '' ? {} : { description }),
            ...(value === '' ? {} : { value }),
          },
        }),
      ),
    done: () => t('secrets.added', { name: ref }),
    changes: ['secrets'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog title={t('secrets.add')} submitLabel={t('secrets.add')} action={action} onClose={onClose}>
      <TextField
        label={t('secrets.ref')}
        description={t('secrets.refHint')}
        isRequired
        autoFocus
        maxLength={200}
        value={ref}
        onChange={setRef}
      />
      <TextField label={t('secrets.description')} maxLength={1000} value={description} onChange={setDescription} />
      <ValueField value={value} onChange={setValue} />
    </EditDialog>
  );
}

interface ValueFieldProps {
  readonly value: string;
  readonly isRequired?: boolean;
  readonly onChange: (value: string) => void;
}

/** A value may have several lines, such as a private key; browsers do not remember it. */
function ValueField({ value, isRequired = false, onChange }: ValueFieldProps): ReactElement {
  const t = useSecretsMessages();
  return (
    <TextAreaField
      label={t('secrets.value')}
      description={t('secrets.valueHint')}
      isMonospaced
      isRequired={isRequired}
      autoComplete="off"
      spellCheck="false"
      value={value}
      onChange={onChange}
    />
  );
}

interface OneSecretProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Where the secret is used. */
function SecretDags({ secret: { ref: name, dags, dagCount }, onClose }: OneSecretProps): ReactElement {
  const t = useSecretsMessages();
  const app = useAppMessages();
  return (
    <Dialog title={t('secrets.dags.title', { name })} isOpen onClose={onClose} closeLabel={app('app.close')}>
      {dagCount === 0 ? <p>{t('secrets.noDags')}</p> : <p>{t('secrets.dags.text')}</p>}
      <ul className={styles.dags}>
        {dags.map(({ fileName, name: dag, variables }) => (
          <li key={fileName}>
            <Link to="/dags/$fileName" params={{ fileName }}>
              {dag}
            </Link>
            {variables.map(({ name: variable, version }) => (
              <span key={variable} className={styles.variable}>
                <code>{variable}</code>{' '}
                {version === undefined ? t('secrets.dags.newest') : t('secrets.dags.version', { version })}
              </span>
            ))}
          </li>
        ))}
      </ul>
      {dagCount > dags.length ? <p>{t('secrets.dags.rest', { count: dagCount - dags.length })}</p> : null}
    </Dialog>
  );
}

function WriteValue({ secret: { id, ref: name, currentVersion }, onClose }: OneSecretProps): ReactElement {
  const t = useSecretsMessages();
  const [value, setValue] = useState('');
  const action = useAction({
    run: () =>
      unwrap(api.POST('/secrets/{secretId}/versions', { params: { path: { secretId: id } }, body: { value } })),
    done: (_input, { currentVersion: version }) => t('secrets.written', { name, version }),
    changes: ['secrets'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('secrets.write.title', { name })}
      submitLabel={t('secrets.write')}
      action={action}
      onClose={onClose}
    >
      <ValueField value={value} isRequired onChange={setValue} />
      {currentVersion === 0 ? null : <p>{t('secrets.write.text', { ref: `${name}@${currentVersion}` })}</p>}
    </EditDialog>
  );
}

function Describe({ secret, onClose }: OneSecretProps): ReactElement {
  const t = useSecretsMessages();
  const { id, ref: name } = secret;
  const [description, setDescription] = useState(secret.description ?? '');
  const action = useAction({
    run: () => unwrap(api.PATCH('/secrets/{secretId}', { params: { path: { secretId: id } }, body: { description } })),
    done: () => t('secrets.saved', { name }),
    changes: ['secrets'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('secrets.describe.title', { name })}
      submitLabel={t('secrets.save')}
      action={action}
      onClose={onClose}
    >
      <TextField
        label={t('secrets.description')}
        autoFocus
        maxLength={1000}
        value={description}
        onChange={setDescription}
      />
    </EditDialog>
  );
}

function DeleteSecret({ secret: { id, ref: name, dagCount }, onClose }: OneSecretProps): ReactElement {
  const t = useSecretsMessages();
  return (
    <ConfirmAction
      title={t('secrets.delete.title', { name })}
      message={t('secrets.delete.text', { name, count: dagCount })}
      confirmLabel={t('secrets.delete')}
      run={() => unwrap(api.DELETE('/secrets/{secretId}', { params: { path: { secretId: id } } }))}
      done={() => t('secrets.deleted', { name })}
      changes={['secrets']}
      onClose={onClose}
    />
  );
}
