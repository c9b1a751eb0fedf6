import { Switch, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { accessEverywhere, AccessFields, type Access } from '../../parts/access/access-fields';
import { ConfirmAction } from '../../parts/confirm-action';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import type { User } from '../../parts/access/users-query';
import { useUsersMessages } from './users-messages';

export type UserAction =
  { readonly kind: 'add' } | { readonly kind: 'edit' | 'reset' | 'second-factor' | 'delete'; readonly user: User };

export interface UserDialogProps {
  readonly action: UserAction;
  readonly onClose: () => void;
}

/** The window of an action on users. */
export function UserDialog({ action, onClose }: UserDialogProps): ReactElement {
  switch (action.kind) {
    case 'add':
      return <AddUser onClose={onClose} />;
    case 'edit':
      return <EditUser user={action.user} onClose={onClose} />;
    case 'reset':
      return <ResetPassword user={action.user} onClose={onClose} />;
    case 'second-factor':
      return <RemoveSecondFactor user={action.user} onClose={onClose} />;
    case 'delete':
      return <DeleteUser user={action.user} onClose={onClose} />;
  }
}

interface OneUserProps {
  readonly user: User;
  readonly onClose: () => void;
}

function AddUser({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useUsersMessages();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [access, setAccess] = useState<Access>(accessEverywhere('viewer'));
  const action = useAction({
    run: () => unwrap(api.POST('/users', { body: { username, password, ...access } })),
    done: () => t('users.added', { name: username }),
    changes: ['users'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog title={t('users.add')} submitLabel={t('users.add')} action={action} onClose={onClose}>
      <TextField label={t('users.username')} isRequired autoFocus value={username} onChange={setUsername} />
      <TextField
        label={t('users.password')}
        description={t('users.passwordHint')}
        type="password"
        autoComplete="new-password"
        isRequired
        minLength={8}
        value={password}
        onChange={setPassword}
      />
      <AccessFields access={access} onChange={setAccess} />
    </EditDialog>
  );
}

function EditUser({ user, onClose }: OneUserProps): ReactElement {
  const t = useUsersMessages();
  const { id, username } = user;
  const [name, setName] = useState(username);
  const [isEnabled, setEnabled] = useState(user.isDisabled !== true);
  const [access, setAccess] = useState<Access>({ role: user.role, workspaceAccess: user.workspaceAccess });
  const action = useAction({
    run: () =>
      unwrap(
        api.PATCH('/users/{userId}', {
          params: { path: { userId: id } },
          body: { username: name, isDisabled: !isEnabled, ...access },
        }),
      ),
    done: () => t('users.saved', { name }),
    changes: ['users', 'session', 'permissions'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('users.edit.title', { name: username })}
      submitLabel={t('users.save')}
      action={action}
      onClose={onClose}
    >
      <TextField label={t('users.username')} isRequired value={name} onChange={setName} />
      <AccessFields access={access} onChange={setAccess} />
      <Switch isSelected={isEnabled} onChange={setEnabled}>
        {t('users.isEnabled')}
      </Switch>
    </EditDialog>
  );
}

function ResetPassword({ user: { id, username: name }, onClose }: OneUserProps): ReactElement {
  const t = useUsersMessages();
  const [newPassword, setPassword] = useState('');
  const action = useAction({
    run: () =>
      unwrap(api.POST('/users/{userId}/reset-password', { params: { path: { userId: id } }, body: { newPassword } })),
    done: () => t('users.reset.done', { name }),
    changes: ['users'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('users.reset.title', { name })}
      submitLabel={t('users.reset')}
      action={action}
      onClose={onClose}
    >
      <TextField
        label={t('users.password')}
        description={t('users.passwordHint')}
        type="password"
        autoComplete="new-password"
        isRequired
        autoFocus
        minLength={8}
        value={newPassword}
        onChange={setPassword}
      />
    </EditDialog>
  );
}

function RemoveSecondFactor({ user: { id, username: name }, onClose }: OneUserProps): ReactElement {
  const t = useUsersMessages();
  return (
    <ConfirmAction
      title={t('users.factor.title', { name })}
      message={t('users.factor.text', { name })}
      confirmLabel={t('users.factor')}
      run={() => unwrap(api.DELETE('/users/{userId}/second-factor', { params: { path: { userId: id } } }))}
      done={() => t('users.factor.done', { name })}
      changes={['second-factor']}
      onClose={onClose}
    />
  );
}

function DeleteUser({ user: { id, username: name }, onClose }: OneUserProps): ReactElement {
  const t = useUsersMessages();
  return (
    <ConfirmAction
      title={t('users.delete.title', { name })}
      message={t('users.delete.text', { name })}
      confirmLabel={t('users.delete')}
      run={() => unwrap(api.DELETE('/users/{userId}', { params: { path: { userId: id } } }))}
      done={() => t('users.deleted', { name })}
      changes={['users']}
      onClose={onClose}
    />
  );
}
