import { queryOptions, useQuery } from '@tanstack/react-query';
import { Panel, StatusShape, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { permissionsQuery, roles, useMissingRole, type Role } from '../../api/permissions';
import { ScreenHeader } from '../../parts/screen-header';
import { PeopleMatrix } from './people-matrix';
import { useRolesMessages } from './roles-messages';
import styles from '../../parts/screen-body.module.css';

interface DescribedOperation {
  readonly operationId?: string;
  readonly summary?: string;
}

/** The names of the operations in the description of the API, by id. */
const operationNamesQuery = queryOptions<ReadonlyMap<string, string>, Failure>({
  queryKey: ['operation-names'],
  queryFn: async ({ signal }) => {
    const { paths = {} } = await unwrap(api.GET('/openapi.json', { signal }));
    const operations = Object.values(paths as Record<string, Record<string, DescribedOperation>>).flatMap((methods) =>
      Object.values(methods),
    );
    return new Map(operations.map(({ operationId = '', summary = operationId }) => [operationId, summary]));
  },
  staleTime: Infinity,
});

/** The rights by person and workspace: the person's own, those of all users, and those of every role. */
export function RolesScreen(): ReactElement {
  const t = useRolesMessages();
  const query = useQuery(permissionsQuery);
  const maySeeUsers = useMissingRole('listUsers') === undefined;
  return (
    <>
      <ScreenHeader title={t('roles.title')} />
      <QueryPanel query={query}>
        {(permissions) => (
          <>
            <Panel title={t('roles.own')}>
              <OwnTable permissions={permissions} />
            </Panel>
            {maySeeUsers ? (
              <Panel title={t('roles.people')} description={t('roles.people.text')}>
                <PeopleMatrix />
              </Panel>
            ) : null}
            <Panel title={t('roles.operations')} description={t('roles.operations.text')}>
              <OperationTable requirements={permissions.requirements} />
            </Panel>
          </>
        )}
      </QueryPanel>
    </>
  );
}

function Mark({ isYes }: { readonly isYes: boolean }): ReactElement {
  const t = useRolesMessages();
  return isYes ? (
    <StatusShape kind="succeeded" label={t('roles.yes')} />
  ) : (
    <StatusShape kind="not_started" label={t('roles.no')} />
  );
}

type OwnRights = Schemas['WorkspacePermissions'];

function OwnTable({
  permissions: { workspaces },
}: {
  readonly permissions: Schemas['PermissionsResponse'];
}): ReactElement {
  const t = useRolesMessages();
  const columns: readonly TableColumn<OwnRights>[] = [
    {
      id: 'where',
      name: t('roles.own.where'),
      isRowHeader: true,
      width: 'grow',
      render: ({ workspace }) => workspace ?? t('roles.own.nowhere'),
    },
    { id: 'role', name: t('roles.own.role'), render: ({ role }) => role },
    { id: 'run', name: t('roles.own.run'), render: ({ mayRun }) => <Mark isYes={mayRun} /> },
    { id: 'write', name: t('roles.own.write'), render: ({ mayWrite }) => <Mark isYes={mayWrite} /> },
  ];
  return (
    <div className={styles.bleed}>
      <Table label={t('roles.own')} items={workspaces} getId={({ workspace = '' }) => workspace} columns={columns} />
    </div>
  );
}

function OperationTable({
  requirements,
}: {
  readonly requirements: readonly Schemas['OperationRole'][];
}): ReactElement {
  const t = useRolesMessages();
  const { data: names } = useQuery(operationNamesQuery);
  const rows = [...requirements].sort((one, other) => rank(other.role) - rank(one.role));
  const columns: readonly TableColumn<Schemas['OperationRole']>[] = [
    {
      id: 'operation',
      name: t('roles.operation'),
      isRowHeader: true,
      width: 'grow',
      render: ({ operationId }) => <span title={operationId}>{names?.get(operationId) ?? operationId}</span>,
    },
    ...roles.map((role) => ({
      id: role,
      name: role,
      render: (row: Schemas['OperationRole']) => <Mark isYes={rank(role) <= rank(row.role)} />,
    })),
  ];
  return (
    <div className={styles.bleed}>
      <Table label={t('roles.operations')} items={rows} getId={({ operationId }) => operationId} columns={columns} />
    </div>
  );
}

function rank(role: Role): number {
  return roles.indexOf(role);
}
