import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(width < 768px)');

/** Whether the page is as narrow as on a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}
