import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ConfirmAction } from '../../../parts/confirm-action';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { deleteDag, useRestoreDeleted } from '../../../parts/dag/dag-actions-data';
import type { DagDialogProps } from './rename-dialog';
import { useFailureToast } from './use-failure-toast';

/** Deletes a DAG after a question that names it; its last revision can restore it. */
export function DeleteDialog({ fileName, onClose }: DagDialogProps): ReactElement {
  const t = useDagMessages();
  const showFailure = useFailureToast();
  const navigate = useNavigate();
  const restore = useRestoreDeleted(fileName);
  const bringBack = (revision: number): void =>
    void restore
      .mutateAsync(revision)
      .then(() => navigate({ to: '/dags/$fileName', params: { fileName } }))
      .catch(showFailure);
  return (
    <ConfirmAction
      title={t('dag.delete.title', { name: fileName })}
      message={t('dag.delete.text', { name: fileName })}
      confirmLabel={t('dag.delete.confirm', { name: fileName })}
      run={() => deleteDag(fileName)}
      done={(_, revision) => ({
        message: t('dag.deleted', { name: fileName }),
        ...(revision === undefined ? {} : { action: { label: t('dag.undo'), onPress: () => bringBack(revision) } }),
      })}
      changes={['live']}
      onDone={() => void navigate({ to: '/dags' })}
      onClose={onClose}
    />
  );
}
