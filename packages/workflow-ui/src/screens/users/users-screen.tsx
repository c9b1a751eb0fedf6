import { useQuery } from '@tanstack/react-query';
import { Button, IconButton, Menu, StatusName, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import { Ellipsis, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { sessionQuery } from '../../api/session';
import { AccessText } from '../../parts/access/access-fields';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import { UserDialog, type UserAction } from './user-dialogs';
import { usersQuery, type User } from '../../parts/access/users-query';
import { useUsersMessages } from './users-messages';
import styles from '../../parts/screen-body.module.css';

/** The people who can sign in. */
export function UsersScreen(): ReactElement {
  const t = useUsersMessages();
  const refusal = useRefusal('createUser');
  const query = useQuery(usersQuery);
  const [action, setAction] = useState<UserAction | undefined>();
  const count = query.data?.users.length;
  return (
    <>
      <ScreenHeader title={t('users.title')} note={count === undefined ? undefined : t('users.count', { count })}>
        <Button variant="primary" disabledReason={refusal} onPress={() => setAction({ kind: 'add' })}>
          <Plus aria-hidden size={16} />
          {t('users.add')}
        </Button>
      </ScreenHeader>
      <QueryPanel query={query}>{({ users }) => <UserTable users={users} onAction={setAction} />}</QueryPanel>
      {action === undefined ? null : <UserDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

interface UserTableProps {
  readonly users: readonly User[];
  readonly onAction: (action: UserAction) => void;
}

function UserTable({ users, onAction }: UserTableProps): ReactElement {
  const t = useUsersMessages();
  const { data: session } = useQuery(sessionQuery);
  const own = session?.state === 'signed-in' ? session.user.id : undefined;
  const columns: readonly TableColumn<User>[] = [
    {
      id: 'name',
      name: t('users.name'),
      isRowHeader: true,
      width: 'grow',
      render: ({ id, username }) => (
        <>
          <strong>{username}</strong>
          {id === own ? <span className={styles.muted}> · {t('users.you')}</span> : null}
        </>
      ),
    },
    { id: 'role', name: t('users.role'), render: (user) => <AccessText access={user} /> },
    {
      id: 'state',
      name: t('users.state'),
      render: ({ isDisabled }) => (
        <StatusName
          kind={isDisabled === true ? 'aborted' : 'succeeded'}
          name={t(isDisabled === true ? 'users.disabled' : 'users.enabled')}
        />
      ),
    },
    { id: 'created', name: t('users.created'), render: ({ createdAt }) => <Time value={createdAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('users.actionsColumn'),
      align: 'end',
      render: (user) => <UserMenu user={user} isOwn={user.id === own} onAction={onAction} />,
    },
  ];
  return <Table label={t('users.title')} items={users} getId={({ id }) => id} columns={columns} />;
}

interface UserMenuProps {
  readonly user: User;
  readonly isOwn: boolean;
  readonly onAction: (action: UserAction) => void;
}

function UserMenu({ user, isOwn, onAction }: UserMenuProps): ReactElement {
  const t = useUsersMessages();
  const label = t('users.actions', { name: user.username });
  return (
    <Menu
      label={label}
      trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
      entries={[
        { id: 'edit', label: t('users.edit'), onSelect: () => onAction({ kind: 'edit', user }) },
        { id: 'reset', label: t('users.reset'), onSelect: () => onAction({ kind: 'reset', user }) },
        { id: 'second-factor', label: t('users.factor'), onSelect: () => onAction({ kind: 'second-factor', user }) },
        {
          id: 'delete',
          label: t('users.delete'),
          isDisabled: isOwn,
          onSelect: () => onAction({ kind: 'delete', user }),
        },
      ]}
    />
  );
}
