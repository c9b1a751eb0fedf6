import { useSyncExternalStore } from 'react';

/** The address of a list whose views can be saved. */
export type SavedList = '/dags' | '/runs' | '/events' | '/audit';

/** A named state of a list. */
export interface SavedView {
  readonly name: string;
  /** The query of its address. */
  readonly search: Readonly<Record<string, unknown>>;
}

type Views = Readonly<Record<string, readonly SavedView[]>>;

const storageKey = 'weir.views';
const listeners = new Set<() => void>();
let current: Views | undefined;

/** Another version or a person may have stored anything here. */
export function parseViews(text: string | null): Views {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).map(([list, views]) => [list, Array.isArray(views) ? views.filter(isView) : []]),
    );
  } catch {
    return {};
  }
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'search' in value &&
    typeof value.search === 'object' &&
    value.search !== null
  );
}

const read = (): Views => (current ??= parseViews(localStorage.getItem(storageKey)));
const none: readonly SavedView[] = [];

/** The views of a list that were saved in this browser. */
export function useViews(list: string): readonly SavedView[] {
  return useSyncExternalStore(subscribe, () => read()[list] ?? none);
}

/** Saves a view, and replaces one with the same name. */
export function saveView(list: string, view: SavedView): void {
  change(list, (views) => [...views.filter(({ name }) => name !== view.name), view]);
}

export function deleteView(list: string, name: string): void {
  change(list, (views) => views.filter((view) => view.name !== name));
}

function change(list: string, changeViews: (views: readonly SavedView[]) => readonly SavedView[]): void {
  const stored = parseViews(localStorage.getItem(storageKey));
  current = { ...stored, [list]: changeViews(stored[list] ?? none) };
  localStorage.setItem(storageKey, JSON.stringify(current));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  // Another tab of the browser has changed it.
  const reread = (): void => {
    current = undefined;
    listener();
  };
  listeners.add(listener);
  addEventListener('storage', reread);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', reread);
  };
}
