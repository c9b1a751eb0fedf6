import { useNavigate } from '@tanstack/react-router';
import { TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '@weir/ui-kit/app';
import { ConfirmAction } from '../../parts/confirm-action';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useDocsMessages } from './docs-messages';

const changes = ['docs', 'search'];

export interface NewDocDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (path: string) => void;
}

export function NewDocDialog({ onClose, onCreated }: NewDocDialogProps): ReactElement {
  const t = useDocsMessages();
  const [path, setPath] = useState('');
  const title = path.split('/').at(-1) ?? path;
  const action = useAction({
    run: () => unwrap(api.POST('/docs', { body: { id: path, content: `# ${title}\n\n` } })),
    done: () => t('docs.created', { path }),
    changes,
    onDone: () => {
      onClose();
      onCreated(path);
    },
    saysFailure: false,
  });
  return (
    <EditDialog title={t('docs.new')} submitLabel={t('docs.create')} action={action} onClose={onClose}>
      <TextField
        label={t('docs.path')}
        description={t('docs.pathHint')}
        isRequired
        autoFocus
        value={path}
        onChange={setPath}
      />
    </EditDialog>
  );
}

export interface OneDocProps {
  readonly path: string;
  readonly onClose: () => void;
}

export function RenameDocDialog({ path, onClose }: OneDocProps): ReactElement {
  const t = useDocsMessages();
  const navigate = useNavigate();
  const [newPath, setNewPath] = useState(path);
  const action = useAction({
    run: () => unwrap(api.POST('/docs/doc/rename', { params: { query: { path } }, body: { newPath } })),
    done: () => t('docs.renamed', { path, newPath }),
    changes,
    onDone: () => {
      onClose();
      void navigate({ to: '/docs', search: { doc: newPath } });
    },
    saysFailure: false,
  });
  return (
    <EditDialog
      title={t('docs.rename.title', { path })}
      submitLabel={t('docs.rename')}
      action={action}
      onClose={onClose}
    >
      <TextField label={t('docs.path')} isRequired autoFocus value={newPath} onChange={setNewPath} />
    </EditDialog>
  );
}

export function DeleteDocDialog({ path, onClose }: OneDocProps): ReactElement {
  const t = useDocsMessages();
  const navigate = useNavigate();
  return (
    <ConfirmAction
      title={t('docs.delete.title', { path })}
      message={t('docs.delete.text', { path })}
      confirmLabel={t('docs.delete')}
      run={() => unwrap(api.DELETE('/docs/doc', { params: { query: { path } } }))}
      done={() => t('docs.deleted', { path })}
      changes={changes}
      onDone={() => void navigate({ to: '/docs', search: {} })}
      onClose={onClose}
    />
  );
}
