import { TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { ConfirmAction } from '../../parts/confirm-action';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useWorkspacesMessages } from './workspaces-messages';

type Workspace = Schemas['WorkspaceResponse'];
const changes = ['workspaces', 'permissions'];

export interface EditWorkspaceProps {
  /** Missing for a new one. */
  readonly workspace: Workspace | undefined;
  readonly onClose: () => void;
}

/** The name and the description of a workspace. */
export function EditWorkspace({ workspace, onClose }: EditWorkspaceProps): ReactElement {
  const t = useWorkspacesMessages();
  const [name, setName] = useState(workspace?.name ?? '');
  const [description, setDescription] = useState(workspace?.description ?? '');
  const body = { name, description };
  const action = useAction({
    run: (): Promise<unknown> =>
      workspace === undefined
        ? unwrap(api.POST('/workspaces', { body }))
        : unwrap(api.PATCH('/workspaces/{workspaceId}', { params: { path: { workspaceId: workspace.id } }, body })),
    done: () => t(workspace === undefined ? 'workspaces.added' : 'workspaces.saved', { name }),
    changes,
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={workspace === undefined ? t('workspaces.add') : t('workspaces.edit.title', { name: workspace.name })}
      submitLabel={t(workspace === undefined ? 'workspaces.add' : 'workspaces.save')}
      action={action}
      onClose={onClose}
    >
      <TextField
        label={t('workspaces.name')}
        description={t('workspaces.nameHint', { name: name === '' ? '…' : name })}
        isRequired
        autoFocus
        value={name}
        onChange={setName}
      />
      <TextField label={t('workspaces.description')} value={description} onChange={setDescription} />
    </EditDialog>
  );
}

interface DeleteWorkspaceProps {
  readonly workspace: Workspace;
  readonly onClose: () => void;
}

export function DeleteWorkspace({ workspace: { id, name }, onClose }: DeleteWorkspaceProps): ReactElement {
  const t = useWorkspacesMessages();
  return (
    <ConfirmAction
      title={t('workspaces.delete.title', { name })}
      message={t('workspaces.delete.text')}
      confirmLabel={t('workspaces.delete')}
      run={() => unwrap(api.DELETE('/workspaces/{workspaceId}', { params: { path: { workspaceId: id } } }))}
      done={() => t('workspaces.deleted', { name })}
      changes={changes}
      onClose={onClose}
    />
  );
}
