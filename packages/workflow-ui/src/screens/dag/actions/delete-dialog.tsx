import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog, useToast } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useAppMessages } from '../../../app/text/app-messages';
import { useDagMessages } from '../dag-messages';
import { useDeleteDag, useRestoreDeleted } from './actions-data';
import type { DagDialogProps } from './rename-dialog';
import { useFailureToast } from './use-failure-toast';

const newestOnly = { limit: 1 };

/** Deletes a DAG after a question that names it; its last revision brings it back. */
export function DeleteDialog({ fileName, onClose }: DagDialogProps): ReactElement {
  const t = useDagMessages();
  const app = useAppMessages();
  const toast = useToast();
  const showFailure = useFailureToast();
  const navigate = useNavigate();
  const { mutate, isPending } = useDeleteDag(fileName);
  const restore = useRestoreDeleted(fileName);
  const bringBack = (revision: number): void =>
    void restore
      .mutateAsync(revision)
      .then(() => navigate({ to: '/dags/$fileName', params: { fileName } }))
      .catch(showFailure);
  const confirm = (): void =>
    mutate(newestOnly, {
      onSuccess: (revision) => {
        onClose();
        void navigate({ to: '/dags' });
        toast({
          message: t('dag.deleted', { name: fileName }),
          ...(revision === undefined ? {} : { action: { label: t('dag.undo'), onPress: () => bringBack(revision) } }),
        });
      },
      onError: showFailure,
    });
  return (
    <ConfirmDialog
      title={t('dag.delete.title', { name: fileName })}
      message={t('dag.delete.text', { name: fileName })}
      confirmLabel={t('dag.delete.confirm', { name: fileName })}
      cancelLabel={t('dag.cancel')}
      closeLabel={app('app.close')}
      isOpen
      isBusy={isPending}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
