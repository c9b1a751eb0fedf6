import { useEffect, useRef, useState, type RefObject } from 'react';

/** Whether an element above a list is in view, so that nobody reads further down. */
export function useIsAtTop(): readonly [RefObject<HTMLDivElement | null>, boolean] {
  const mark = useRef<HTMLDivElement>(null);
  const [isAtTop, setIsAtTop] = useState(true);
  useEffect(() => {
    if (mark.current === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setIsAtTop(entry?.isIntersecting ?? true));
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return [mark, isAtTop];
}
