import { useNavigate } from '@tanstack/react-router';
import { useToast } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { useCopyDag } from '../../../parts/dag/dag-actions-data';
import { NameDialog } from '../../../parts/dag/name-dialog';
import type { DagDialogProps } from './rename-dialog';

/** Creates a DAG with the same text, and opens it. */
export function CopyDialog({ fileName, onClose }: DagDialogProps): ReactElement {
  const t = useDagMessages();
  const toast = useToast();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useCopyDag(fileName);
  const copy = (name: string): void =>
    mutate(name, {
      onSuccess: () => {
        onClose();
        void navigate({ to: '/dags/$fileName', params: { fileName: name } });
        toast({ message: t('dag.created', { name }) });
      },
    });
  return (
    <NameDialog
      title={t('dag.copy.title', { name: fileName })}
      submitLabel={t('dag.actions.copy')}
      isBusy={isPending}
      failure={error}
      onSubmit={copy}
      onClose={onClose}
    />
  );
}
