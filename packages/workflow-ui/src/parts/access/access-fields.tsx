import { useQuery } from '@tanstack/react-query';
import { Segments, SelectField } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { roles, type Role } from '../../api/permissions';
import { workspacesQuery } from './workspaces-query';
import messages from './messages.json';
import styles from './access.module.css';

const useAccessMessages = defineMessages(messages);

/** A role, and where it applies. */
export interface Access {
  readonly role: Role;
  readonly workspaceAccess: Schemas['WorkspaceAccess'];
}

export const accessEverywhere = (role: Role): Access => ({ role, workspaceAccess: { all: true, grants: [] } });

export interface AccessFieldsProps {
  readonly access: Access;
  readonly onChange: (access: Access) => void;
}

/** Chooses a role for everything, or one for each of some workspaces. */
export function AccessFields({ access, onChange }: AccessFieldsProps): ReactElement {
  const t = useAccessMessages();
  const { role, workspaceAccess } = access;
  return (
    <>
      <Segments
        label={t('access.scope')}
        value={workspaceAccess.all ? 'all' : 'some'}
        segments={[
          { value: 'all', label: t('access.scope.all') },
          { value: 'some', label: t('access.scope.some') },
        ]}
        onChange={(scope) =>
          // Outside of its workspaces, such an account may only view.
          onChange(
            scope === 'all' ? accessEverywhere(role) : { role: 'viewer', workspaceAccess: { all: false, grants: [] } },
          )
        }
      />
      {workspaceAccess.all ? (
        <SelectField
          label={t('access.role')}
          value={role}
          options={roles.map((value) => ({ value, label: value }))}
          onChange={(value) => onChange({ ...access, role: value })}
        />
      ) : (
        <GrantFields
          grants={workspaceAccess.grants}
          onChange={(grants) => onChange({ role: 'viewer', workspaceAccess: { all: false, grants } })}
        />
      )}
    </>
  );
}

type Grants = Schemas['WorkspaceAccess']['grants'];

interface GrantFieldsProps {
  readonly grants: Grants;
  readonly onChange: (grants: Grants) => void;
}

function GrantFields({ grants, onChange }: GrantFieldsProps): ReactElement {
  const t = useAccessMessages();
  const { data } = useQuery(workspacesQuery);
  const names = [
    ...new Set(
      [...(data?.workspaces ?? []), ...grants.map(({ workspace }) => ({ name: workspace }))].map(({ name }) => name),
    ),
  ];
  if (names.length === 0) return <p className={styles.muted}>{t('access.noWorkspaces')}</p>;
  return (
    <>
      {names.map((workspace) => (
        <SelectField<Role | 'none'>
          key={workspace}
          label={t('access.roleIn', { workspace })}
          value={grants.find((grant) => grant.workspace === workspace)?.role ?? 'none'}
          options={[
            { value: 'none', label: t('access.none') },
            ...roles.filter((value) => value !== 'admin').map((value) => ({ value, label: value })),
          ]}
          onChange={(role) => {
            const others = grants.filter((grant) => grant.workspace !== workspace);
            onChange(role === 'none' ? others : [...others, { workspace, role }]);
          }}
        />
      ))}
    </>
  );
}

/** A role with the places where it applies. */
export function AccessText({ access: { role, workspaceAccess } }: { readonly access: Access }): ReactElement {
  const t = useAccessMessages();
  if (workspaceAccess.all) {
    return (
      <>
        {role} <span className={styles.muted}>{t('access.everywhere')}</span>
      </>
    );
  }
  return <>{workspaceAccess.grants.map((grant) => t('access.in', { ...grant })).join(', ')}</>;
}
