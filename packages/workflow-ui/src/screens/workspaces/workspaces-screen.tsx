import { useQuery } from '@tanstack/react-query';
import { Button, EmptyState, IconButton, Menu, Table, type TableColumn } from '@weir/ui-kit';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import { Boxes, Ellipsis, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { workspacesQuery } from '../../parts/access/workspaces-query';
import { ScreenHeader } from '../../parts/screen-header';
import { useRefusal } from '../../parts/use-refusal';
import { DeleteWorkspace, EditWorkspace } from './workspace-dialogs';
import { useWorkspacesMessages } from './workspaces-messages';
import styles from '../../parts/screen-body.module.css';

type Workspace = Schemas['WorkspaceResponse'];
type Action =
  | { readonly kind: 'edit'; readonly workspace?: Workspace }
  | { readonly kind: 'delete'; readonly workspace: Workspace };

/** The workspaces that the person can see. */
export function WorkspacesScreen(): ReactElement {
  const t = useWorkspacesMessages();
  const refusal = useRefusal('createWorkspace');
  const query = useQuery(workspacesQuery);
  const [action, setAction] = useState<Action | undefined>();
  const close = (): void => setAction(undefined);
  const count = query.data?.workspaces.length;
  const add = (
    <Button variant="primary" disabledReason={refusal} onPress={() => setAction({ kind: 'edit' })}>
      <Plus aria-hidden size={16} />
      {t('workspaces.add')}
    </Button>
  );
  return (
    <>
      <ScreenHeader
        title={t('workspaces.title')}
        note={count === undefined ? undefined : t('workspaces.count', { count })}
      >
        {count === 0 ? null : add}
      </ScreenHeader>
      <QueryPanel query={query}>
        {({ workspaces }) =>
          workspaces.length === 0 ? (
            <EmptyState title={t('workspaces.empty.title')} icon={<Boxes aria-hidden size={32} />} action={add}>
              {t('workspaces.empty.text')}
            </EmptyState>
          ) : (
            <WorkspaceTable workspaces={workspaces} isReadOnly={refusal !== undefined} onAction={setAction} />
          )
        }
      </QueryPanel>
      {action?.kind === 'edit' ? <EditWorkspace workspace={action.workspace} onClose={close} /> : null}
      {action?.kind === 'delete' ? <DeleteWorkspace workspace={action.workspace} onClose={close} /> : null}
    </>
  );
}

interface WorkspaceTableProps {
  readonly workspaces: readonly Workspace[];
  readonly isReadOnly: boolean;
  readonly onAction: (action: Action) => void;
}

function WorkspaceTable({ workspaces, isReadOnly, onAction }: WorkspaceTableProps): ReactElement {
  const t = useWorkspacesMessages();
  const columns: readonly TableColumn<Workspace>[] = [
    { id: 'name', name: t('workspaces.name'), isRowHeader: true, render: ({ name }) => <strong>{name}</strong> },
    {
      id: 'description',
      name: t('workspaces.description'),
      width: 'grow',
      render: ({ description }) => <span className={styles.muted}>{description}</span>,
    },
    { id: 'changed', name: t('workspaces.changed'), render: ({ updatedAt }) => <Time value={updatedAt} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('workspaces.actionsColumn'),
      align: 'end',
      render: (workspace) => {
        const label = t('workspaces.actions', { name: workspace.name });
        return (
          <Menu
            label={label}
            trigger={<IconButton icon={<Ellipsis aria-hidden size={16} />} label={label} />}
            entries={[
              {
                id: 'edit',
                label: t('workspaces.edit'),
                isDisabled: isReadOnly,
                onSelect: () => onAction({ kind: 'edit', workspace }),
              },
              {
                id: 'delete',
                label: t('workspaces.delete'),
                isDisabled: isReadOnly,
                onSelect: () => onAction({ kind: 'delete', workspace }),
              },
            ]}
          />
        );
      },
    },
  ];
  return <Table label={t('workspaces.title')} items={workspaces} getId={({ id }) => id} columns={columns} />;
}
