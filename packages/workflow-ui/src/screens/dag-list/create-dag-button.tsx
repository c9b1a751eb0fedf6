import { useNavigate } from '@tanstack/react-router';
import { Button, useToast } from '@weir/ui-kit';
import { Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useRefusal } from '../../parts/use-refusal';
import { useDagMessages } from '../../parts/dag/dag-messages';
import { useCreateDag } from '../../parts/dag/dag-actions-data';
import { NameDialog } from '../../parts/dag/name-dialog';

/** Creates a DAG with one example step, and opens its editor. */
export function CreateDagButton(): ReactElement {
  const t = useDagMessages();
  const toast = useToast();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const reason = useRefusal('createNewDAG');
  const { mutate, isPending, error, reset } = useCreateDag();
  const close = (): void => {
    setIsOpen(false);
    reset();
  };
  const create = (name: string): void =>
    mutate(
      { name },
      {
        onSuccess: () => {
          close();
          void navigate({ to: '/dags/$fileName', params: { fileName: name }, search: { tab: 'spec' } });
          toast({ message: t('dag.created', { name }) });
        },
      },
    );
  return (
    <>
      <Button disabledReason={reason} onPress={() => setIsOpen(true)}>
        <Plus aria-hidden size={16} />
        {t('dag.create')}
      </Button>
      {isOpen ? (
        <NameDialog
          title={t('dag.create')}
          submitLabel={t('dag.create.confirm')}
          note={t('dag.create.note')}
          isBusy={isPending}
          failure={error}
          onSubmit={create}
          onClose={close}
        />
      ) : null}
    </>
  );
}
