import { CheckField, TextAreaField, TextField } from '@weir/ui-kit';
import { unwrap } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { ConfirmAction } from '../../parts/confirm-action';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useProfilesMessages } from './profiles-messages';
import { removeEntry, setEntry, type ProfileEntry, type ProfileOwner } from './profile-owner';

type Profile = Schemas['RuntimeProfileResponse'];

interface EditProfileProps {
  /** Missing for a new one. */
  readonly profile: Profile | undefined;
  readonly onClose: () => void;
}

export function EditProfile({ profile, onClose }: EditProfileProps): ReactElement {
  const t = useProfilesMessages();
  const [name, setName] = useState(profile?.name ?? '');
  const [description, setDescription] = useState(profile?.description ?? '');
  const [isProtected, setIsProtected] = useState(profile?.protected ?? false);
  const body = { description, protected: isProtected };
  const action = useAction({
    run: () =>
      unwrap(
        profile === undefined
          ? api.POST('/profiles', { body: { name, ...body } })
          : api.PATCH('/profiles/{profileName}', { params: { path: { profileName: name } }, body }),
      ),
    done: () => t(profile === undefined ? 'profiles.added' : 'profiles.saved', { name }),
    changes: ['profiles'],
    onDone: onClose,
    saysFailure: false,
  });
  const title = profile === undefined ? t('profiles.add') : t('profiles.edit.title', { name });
  const submitLabel = t(profile === undefined ? 'profiles.add' : 'profiles.save');
  return (
    <EditDialog title={title} submitLabel={submitLabel} action={action} onClose={onClose}>
      {profile === undefined ? (
        <TextField
          label={t('profiles.name')}
          description={t('profiles.nameHint')}
          isRequired
          autoFocus
          maxLength={128}
          value={name}
          onChange={setName}
        />
      ) : null}
      <TextField label={t('profiles.description')} maxLength={1000} value={description} onChange={setDescription} />
      <CheckField
        label={t('profiles.protected')}
        description={t('profiles.protectedHint')}
        isSelected={isProtected}
        onChange={setIsProtected}
      />
    </EditDialog>
  );
}

interface DeleteProfileProps {
  readonly name: string;
  readonly onClose: () => void;
}

export function DeleteProfile({ name, onClose }: DeleteProfileProps): ReactElement {
  const t = useProfilesMessages();
  const params = { path: { profileName: name } };
  return (
    <ConfirmAction
      title={t('profiles.delete.title', { name })}
      message={t('profiles.delete.text')}
      confirmLabel={t('profiles.delete')}
      run={() => unwrap(api.DELETE('/profiles/{profileName}', { params }))}
      done={() => t('profiles.deleted', { name })}
      changes={['profiles']}
      onClose={onClose}
    />
  );
}

export type EntryAction =
  | { readonly kind: 'set'; readonly entry: Pick<ProfileEntry, 'kind'> & Partial<ProfileEntry> }
  | { readonly kind: 'remove'; readonly key: string };

export interface EntryDialogProps {
  readonly owner: ProfileOwner;
  readonly action: EntryAction;
  readonly onClose: () => void;
}

export function EntryDialog({ owner, action, onClose }: EntryDialogProps): ReactElement {
  if (action.kind === 'set') return <SetEntry owner={owner} entry={action.entry} onClose={onClose} />;
  return <RemoveEntry owner={owner} entryKey={action.key} onClose={onClose} />;
}

interface SetEntryProps extends Pick<EntryDialogProps, 'owner' | 'onClose'> {
  readonly entry: Extract<EntryAction, { readonly kind: 'set' }>['entry'];
}

/** A value may have several lines, such as a private key; browsers do not remember it. */
function SetEntry({ owner, entry, onClose }: SetEntryProps): ReactElement {
  const t = useProfilesMessages();
  const { kind } = entry;
  const [key, setKey] = useState(entry.key ?? '');
  const [value, setValue] = useState(entry.value ?? '');
  const action = useAction({
    run: () => setEntry(owner, { key, kind, value }),
    done: () => t('profiles.wasSet', { key }),
    changes: ['profiles'],
    onDone: onClose,
    saysFailure: false,
  });
  const isSecret = kind === 'secret';
  return (
    <EditDialog
      title={t(isSecret ? 'profiles.setSecret' : 'profiles.setVariable')}
      submitLabel={t('profiles.set')}
      action={action}
      onClose={onClose}
    >
      <TextField
        label={t('profiles.key')}
        isRequired
        isReadOnly={entry.key !== undefined}
        autoFocus={entry.key === undefined}
        maxLength={255}
        value={key}
        onChange={setKey}
      />
      <TextAreaField
        label={t('profiles.value')}
        {...(isSecret ? { description: t('profiles.secretHint'), isRequired: true } : {})}
        isMonospaced
        autoComplete="off"
        spellCheck="false"
        value={value}
        onChange={setValue}
      />
    </EditDialog>
  );
}

interface RemoveEntryProps extends Pick<EntryDialogProps, 'owner' | 'onClose'> {
  readonly entryKey: string;
}

function RemoveEntry({ owner, entryKey: key, onClose }: RemoveEntryProps): ReactElement {
  const t = useProfilesMessages();
  return (
    <ConfirmAction
      title={t('profiles.remove.title', { key })}
      message={t('profiles.remove.text')}
      confirmLabel={t('profiles.remove')}
      run={() => removeEntry(owner, key)}
      done={() => t('profiles.removed', { key })}
      changes={['profiles']}
      onClose={onClose}
    />
  );
}
