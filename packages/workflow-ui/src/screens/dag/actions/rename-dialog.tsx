import { useNavigate } from '@tanstack/react-router';
import { useToast } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { useRenameDag } from '../../../parts/dag/dag-actions-data';
import { NameDialog } from '../../../parts/dag/name-dialog';
import { useFailureToast } from './use-failure-toast';

export interface DagDialogProps {
  readonly fileName: string;
  readonly onClose: () => void;
}

/** Renames the file, with an undo. */
export function RenameDialog({ fileName, onClose }: DagDialogProps): ReactElement {
  const t = useDagMessages();
  const toast = useToast();
  const showFailure = useFailureToast();
  const navigate = useNavigate();
  const { mutate, mutateAsync, isPending, error } = useRenameDag();
  const goTo = (name: string): void => void navigate({ to: '/dags/$fileName', params: { fileName: name } });
  const undo = (from: string): void => void mutateAsync({ from, to: fileName }).then(() => goTo(fileName), showFailure);
  const rename = (to: string): void =>
    mutate(
      { from: fileName, to },
      {
        onSuccess: () => {
          onClose();
          goTo(to);
          toast({ message: t('dag.renamed', { name: to }), action: { label: t('dag.undo'), onPress: () => undo(to) } });
        },
      },
    );
  return (
    <NameDialog
      title={t('dag.rename.title', { name: fileName })}
      submitLabel={t('dag.actions.rename')}
      initialName={fileName}
      note={t('dag.rename.note')}
      isBusy={isPending}
      failure={error}
      onSubmit={rename}
      onClose={onClose}
    />
  );
}
