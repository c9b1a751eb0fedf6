import { useSyncExternalStore } from 'react';

const narrow = followMedia('(width < 768px)');
const wide = followMedia('(width >= 1200px)');

/** Whether the page is as narrow as on a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(narrow.subscribe, narrow.matches);
}

/** Whether a list has room for additional columns. */
export function useIsWide(): boolean {
  return useSyncExternalStore(wide.subscribe, wide.matches);
}

function followMedia(query: string) {
  const list = matchMedia(query);
  return {
    matches: (): boolean => list.matches,
    subscribe: (onChange: () => void): (() => void) => {
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
  };
}
