import { TextField } from '@weir/ui-kit';
import { useState, type ReactElement } from 'react';
import { EditDialog } from '../edit-dialog';
import { useAction } from '../use-action';
import { saveView, type SavedList, type SavedView } from './views';
import { useViewsMessages } from './views-messages';

export interface SaveViewProps extends Pick<SavedView, 'search'> {
  readonly list: SavedList;
  readonly onClose: () => void;
}

/** Asks for the name under which the present list is saved. */
export function SaveView({ list, search, onClose }: SaveViewProps): ReactElement {
  const t = useViewsMessages();
  const [name, setName] = useState('');
  const action = useAction({
    run: async () => {
      saveView(list, { name: name.trim(), search });
      return Promise.resolve();
    },
    done: () => t('views.saved', { name: name.trim() }),
    changes: [],
    onDone: onClose,
  });
  return (
    <EditDialog title={t('views.save.title')} submitLabel={t('views.save.submit')} action={action} onClose={onClose}>
      <TextField label={t('views.name')} isRequired autoFocus maxLength={60} value={name} onChange={setName} />
    </EditDialog>
  );
}
