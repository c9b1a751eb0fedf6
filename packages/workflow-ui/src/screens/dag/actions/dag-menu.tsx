import { IconButton, Menu } from '@weir/ui-kit';
import { Copy, Ellipsis, PencilLine, Trash2 } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { useRefusal } from '../../../parts/use-refusal';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { CopyDialog } from './copy-dialog';
import { DeleteDialog } from './delete-dialog';
import { RenameDialog } from './rename-dialog';

type Layer = 'rename' | 'copy' | 'delete';

/** The actions on the file of a DAG. Actions that the role does not permit name the role that does. */
export function DagMenu({ fileName }: { readonly fileName: string }): ReactElement {
  const t = useDagMessages();
  const [layer, setLayer] = useState<Layer>();
  const close = (): void => setLayer(undefined);
  const entries = [
    { id: 'rename', icon: <PencilLine aria-hidden size={16} />, refusal: useRefusal('renameDAG') },
    { id: 'copy', icon: <Copy aria-hidden size={16} />, refusal: useRefusal('createNewDAG') },
    { id: 'delete', icon: <Trash2 aria-hidden size={16} />, refusal: useRefusal('deleteDAG') },
  ] as const;
  return (
    <>
      <Menu
        label={t('dag.actions')}
        trigger={<IconButton icon={<Ellipsis aria-hidden size={18} />} label={t('dag.actions')} />}
        entries={entries.map(({ id, icon, refusal }) => ({
          id,
          icon,
          label: refusal === undefined ? t(`dag.actions.${id}`) : `${t(`dag.actions.${id}`)} · ${refusal}`,
          isDisabled: refusal !== undefined,
          onSelect: () => setLayer(id),
        }))}
      />
      {layer === 'rename' ? <RenameDialog fileName={fileName} onClose={close} /> : null}
      {layer === 'copy' ? <CopyDialog fileName={fileName} onClose={close} /> : null}
      {layer === 'delete' ? <DeleteDialog fileName={fileName} onClose={close} /> : null}
    </>
  );
}
