import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Button, copyText, Menu, useToast, type MenuEntry } from '@weir/ui-kit';
import { Bookmark, BookmarkPlus, Link2, Trash2 } from 'lucide-react';
import { Suspense, useState, type ReactElement } from 'react';
import { lazyPart } from '../lazy-part';
import { deleteView, saveView, useViews, type SavedList, type SavedView } from './views';
import { useViewsMessages } from './views-messages';

const SaveView = lazyPart(() => import('./save-view'), 'SaveView');

/** These parameters are a position in a list, and no part of the view. */
const passing: ReadonlySet<string> = new Set(['cursor', 'page', 'peek', 'entry']);

export interface SavedViewsProps {
  readonly list: SavedList;
}

/** The views of a list that were saved in this browser, and the actions on the present one. */
export function SavedViews({ list }: SavedViewsProps): ReactElement {
  const t = useViewsMessages();
  const navigate = useNavigate();
  const views = useViews(list);
  const [isSaving, setIsSaving] = useState(false);
  const query = useRouterState({ select: ({ location }) => location.search as SavedView['search'] });
  const search = Object.fromEntries(Object.entries(query).filter(([key]) => !passing.has(key)));
  const shown = views.find((view) => isSame(view.search, search));
  const own = usePresentView(list, shown, () => setIsSaving(true));
  const saved = views.map((view) => ({
    id: `view ${view.name}`,
    label: view.name,
    icon: <Bookmark aria-hidden size={16} fill={view === shown ? 'currentColor' : 'none'} />,
    onSelect: () => void navigate({ to: list, search: view.search }),
  }));
  return (
    <>
      <Menu
        label={t('views.menu')}
        trigger={
          <Button>
            <Bookmark aria-hidden size={16} fill={shown === undefined ? 'none' : 'currentColor'} />
            {shown?.name ?? t('views.menu')}
          </Button>
        }
        entries={[...saved, ...own]}
      />
      {isSaving ? (
        <Suspense>
          <SaveView list={list} search={search} onClose={() => setIsSaving(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** The actions on the shown view: saving, sending, and deleting it if it was saved. */
function usePresentView(list: SavedList, shown: SavedView | undefined, onSave: () => void): readonly MenuEntry[] {
  const t = useViewsMessages();
  const toast = useToast();
  const copyLink = async (): Promise<void> => {
    await copyText(location.href);
    toast({ message: t('views.copied') });
  };
  const remove = (view: SavedView): void => {
    deleteView(list, view.name);
    const undo = { label: t('views.undo'), onPress: () => saveView(list, view) };
    toast({ message: t('views.deleted', { name: view.name }), action: undo });
  };
  return [
    { id: 'save', label: t('views.save'), icon: <BookmarkPlus aria-hidden size={16} />, onSelect: onSave },
    { id: 'copy', label: t('views.copy'), icon: <Link2 aria-hidden size={16} />, onSelect: () => void copyLink() },
    ...(shown === undefined
      ? []
      : [
          {
            id: 'delete',
            label: t('views.delete', { name: shown.name }),
            icon: <Trash2 aria-hidden size={16} />,
            onSelect: () => remove(shown),
          },
        ]),
  ];
}

function isSame(one: SavedView['search'], other: SavedView['search']): boolean {
  const sorted = (search: SavedView['search']): string =>
    JSON.stringify(Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
