import { startTransition, useEffect, useState } from 'react';

/** More than a screen holds. */
const firstRows = 16;
/** A shorter list is drawn at once. */
const longFrom = 31;

/** At first what a screen holds, and the rest once that is seen: a long list takes much longer to be drawn. */
export function useFirstRows<Item>(items: readonly Item[]): readonly Item[] {
  const [isWhole, setIsWhole] = useState(items.length < longFrom);
  useEffect(() => {
    if (isWhole) return undefined;
    // An effect may run before what it follows is painted; the second frame begins after that.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setIsWhole(true)));
    });
    return () => cancelAnimationFrame(frame);
  }, [isWhole]);
  return isWhole ? items : items.slice(0, firstRows);
}
