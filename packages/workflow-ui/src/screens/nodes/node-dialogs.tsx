import { CheckField, SelectField, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { ConfirmAction } from '../../parts/confirm-action';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import type { RemoteNode } from './nodes-data';
import { useNodesMessages } from './nodes-messages';

export type NodeAction = { readonly kind: 'add' } | { readonly kind: 'edit' | 'delete'; readonly node: RemoteNode };

export interface NodeDialogProps {
  readonly action: NodeAction;
  readonly onClose: () => void;
}

/** The window of an action on nodes. */
export function NodeDialog({ action, onClose }: NodeDialogProps): ReactElement {
  if (action.kind === 'delete') return <RemoveNode node={action.node} onClose={onClose} />;
  return <EditNode node={action.kind === 'edit' ? action.node : undefined} onClose={onClose} />;
}

type AuthType = RemoteNode['authType'];

interface Draft {
  readonly name: string;
  readonly apiBaseUrl: string;
  readonly description: string;
  readonly authType: AuthType;
  readonly authToken: string;
  readonly basicAuthUsername: string;
  readonly basicAuthPassword: string;
  readonly skipTlsVerify: boolean;
}

const noCredentials = { authToken: '', basicAuthUsername: '', basicAuthPassword: '' };
const newNode: Draft = {
  name: '',
  apiBaseUrl: '',
  description: '',
  authType: 'token',
  skipTlsVerify: false,
  ...noCredentials,
};

function toDraft({ name, apiBaseUrl, description = '', authType, skipTlsVerify }: RemoteNode): Draft {
  return { name, apiBaseUrl, description, authType, skipTlsVerify, ...noCredentials };
}

interface EditNodeProps {
  /** Missing for a new one. */
  readonly node: RemoteNode | undefined;
  readonly onClose: () => void;
}

function EditNode({ node, onClose }: EditNodeProps): ReactElement {
  const t = useNodesMessages();
  const [draft, setDraft] = useState(() => (node === undefined ? newNode : toDraft(node)));
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part });
  const { name } = draft;
  const action = useAction({
    run: () =>
      node === undefined
        ? unwrap(api.POST('/remote-nodes', { body: draft }))
        : unwrap(
            api.PATCH('/remote-nodes/{remoteNodeId}', { params: { path: { remoteNodeId: node.id } }, body: draft }),
          ),
    done: () => t(node === undefined ? 'nodes.added' : 'nodes.saved', { name }),
    changes: ['remote-nodes', 'run-counts', 'permissions'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={node === undefined ? t('nodes.add') : t('nodes.edit.title', { name: node.name })}
      submitLabel={t(node === undefined ? 'nodes.add' : 'nodes.save')}
      action={action}
      onClose={onClose}
    >
      <Fields draft={draft} hasStored={node?.hasCredentials === true} onChange={change} />
    </EditDialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  /** Whether the node has credentials, which are kept where none are entered. */
  readonly hasStored: boolean;
  readonly onChange: (part: Partial<Draft>) => void;
}

function Fields({ draft, hasStored, onChange }: FieldsProps): ReactElement {
  const t = useNodesMessages();
  return (
    <>
      <TextField
        label={t('nodes.name')}
        isRequired
        autoFocus
        maxLength={253}
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <TextField
        label={t('nodes.address')}
        description={t('nodes.addressHint')}
        isRequired
        maxLength={2000}
        value={draft.apiBaseUrl}
        onChange={(apiBaseUrl) => onChange({ apiBaseUrl })}
      />
      <TextField
        label={t('nodes.description')}
        maxLength={1000}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
      <SelectField<AuthType>
        label={t('nodes.auth')}
        value={draft.authType}
        options={[
          { value: 'token', label: t('nodes.auth.token') },
          { value: 'basic', label: t('nodes.auth.basic') },
          { value: 'none', label: t('nodes.auth.none') },
        ]}
        onChange={(authType) => onChange({ authType })}
      />
      <Credentials draft={draft} hasStored={hasStored} onChange={onChange} />
      <CheckField
        label={t('nodes.skipTls')}
        description={t('nodes.skipTlsHint')}
        isSelected={draft.skipTlsVerify}
        onChange={(skipTlsVerify) => onChange({ skipTlsVerify })}
      />
    </>
  );
}

function Credentials({ draft, hasStored, onChange }: FieldsProps): ReactElement | null {
  const t = useNodesMessages();
  const hint = t(hasStored ? 'nodes.credentialsKept' : 'nodes.credentialsHint');
  const secret = (name: 'authToken' | 'basicAuthPassword', label: string): ReactElement => (
    <TextField
      label={label}
      description={hint}
      type="password"
      autoComplete="off"
      maxLength={8192}
      value={draft[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  if (draft.authType === 'none') return null;
  if (draft.authType === 'token') return secret('authToken', t('nodes.token'));
  return (
    <>
      <TextField
        label={t('nodes.username')}
        autoComplete="off"
        maxLength={8192}
        value={draft.basicAuthUsername}
        onChange={(basicAuthUsername) => onChange({ basicAuthUsername })}
      />
      {secret('basicAuthPassword', t('nodes.password'))}
    </>
  );
}

interface RemoveNodeProps {
  readonly node: RemoteNode;
  readonly onClose: () => void;
}

function RemoveNode({ node: { id, name }, onClose }: RemoveNodeProps): ReactElement {
  const t = useNodesMessages();
  return (
    <ConfirmAction
      title={t('nodes.delete.title', { name })}
      message={t('nodes.delete.text', { name })}
      confirmLabel={t('nodes.delete')}
      run={() => unwrap(api.DELETE('/remote-nodes/{remoteNodeId}', { params: { path: { remoteNodeId: id } } }))}
      done={() => t('nodes.deleted', { name })}
      changes={['remote-nodes', 'permissions']}
      onClose={onClose}
    />
  );
}
