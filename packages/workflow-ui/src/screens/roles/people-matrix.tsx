import { useQuery } from '@tanstack/react-query';
import { Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { workspacesQuery } from '../../parts/access/workspaces-query';
import { usersQuery } from '../../parts/access/users-query';
import { useRolesMessages } from './roles-messages';
import styles from '../../parts/screen-body.module.css';

/** The role of each user in each workspace; empty where a user has none. */
export function PeopleMatrix(): ReactElement {
  const t = useRolesMessages();
  const { data } = useQuery(workspacesQuery);
  const workspaces = data?.workspaces ?? [];
  const columns: readonly TableColumn<Schemas['User']>[] = [
    {
      id: 'user',
      name: t('roles.people.user'),
      isRowHeader: true,
      render: ({ username }) => <strong>{username}</strong>,
    },
    { id: 'none', name: t('roles.own.nowhere'), render: ({ role }) => role },
    ...workspaces.map(({ name }) => ({
      id: `workspace-${name}`,
      name,
      render: (user: Schemas['User']) => roleIn(user, name) ?? <span className={styles.muted}>–</span>,
    })),
  ];
  return (
    <QueryPanel query={useQuery(usersQuery)}>
      {({ users }) => (
        <div className={styles.bleed}>
          <Table label={t('roles.people')} items={users} getId={({ id }) => id} columns={columns} />
        </div>
      )}
    </QueryPanel>
  );
}

function roleIn({ role, workspaceAccess }: Schemas['User'], workspace: string): Schemas['UserRole'] | undefined {
  if (workspaceAccess.all) return role;
  return workspaceAccess.grants.find((grant) => grant.workspace === workspace)?.role;
}
