import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog, TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { api } from '../../api/client';
import { unwrap } from '../../api/failure';
import { useSentence } from '../../app/failure';
import { useAppMessages } from '../../app/text/app-messages';
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
  const { mutate, isPending, error } = useAction({
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
    <EditDialog
      title={t('docs.new')}
      submitLabel={t('docs.create')}
      onSubmit={() => mutate()}
      onClose={onClose}
      isPending={isPending}
      problem={useSentence(error)}
    >
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
  const { mutate, isPending, error } = useAction({
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
      onSubmit={() => mutate()}
      onClose={onClose}
      isPending={isPending}
      problem={useSentence(error)}
    >
      <TextField label={t('docs.path')} isRequired autoFocus value={newPath} onChange={setNewPath} />
    </EditDialog>
  );
}

export function DeleteDocDialog({ path, onClose }: OneDocProps): ReactElement {
  const t = useDocsMessages();
  const app = useAppMessages();
  const navigate = useNavigate();
  const { mutate, isPending } = useAction({
    run: () => unwrap(api.DELETE('/docs/doc', { params: { query: { path } } })),
    done: () => t('docs.deleted', { path }),
    changes,
    onDone: () => {
      onClose();
      void navigate({ to: '/docs', search: {} });
    },
  });
  return (
    <ConfirmDialog
      title={t('docs.delete.title', { path })}
      message={t('docs.delete.text', { path })}
      isOpen
      isBusy={isPending}
      onClose={onClose}
      onConfirm={() => mutate()}
      closeLabel={app('app.close')}
      cancelLabel={app('app.cancel')}
      confirmLabel={t('docs.delete')}
    />
  );
}
