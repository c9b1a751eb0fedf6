import { TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { EditDialog } from '../../parts/edit-dialog';
import type { LabelChange } from './dag-list-data';
import { useDagListMessages } from './dag-list-messages';

export interface LabelDialogProps {
  readonly onChosen: (labels: LabelChange) => void;
  readonly onClose: () => void;
}

/** Asks for the labels to add and to remove. */
export function LabelDialog({ onChosen, onClose }: LabelDialogProps): ReactElement {
  const t = useDagListMessages();
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [addLabels, removeLabels] = [toLabels(added), toLabels(removed)];
  const choose = (): void => {
    const isEmpty = addLabels.length === 0 && removeLabels.length === 0;
    if (isEmpty) return;
    onChosen({
      ...(addLabels.length === 0 ? {} : { addLabels }),
      ...(removeLabels.length === 0 ? {} : { removeLabels }),
    });
  };
  return (
    <EditDialog
      title={t('dags.bulk.label.title')}
      submitLabel={t('dags.bulk.label.next')}
      action={{ mutate: choose, isPending: false, error: null }}
      onClose={onClose}
    >
      <TextField
        label={t('dags.bulk.label.add')}
        description={t('dags.bulk.label.hint')}
        autoFocus
        value={added}
        onChange={setAdded}
      />
      <TextField label={t('dags.bulk.label.remove')} value={removed} onChange={setRemoved} />
    </EditDialog>
  );
}

function toLabels(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter((label) => label !== '')
    .map((label) => label.toLowerCase());
}
