import { useEffect, useRef, type RefObject } from 'react';

/** Creates an element with a shadow root for content that draws itself; `draw` returns the function that removes it. */
export function useShadowHost(draw: (root: ShadowRoot) => () => void): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null);
  const first = useRef(draw);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    return first.current(element.shadowRoot ?? element.attachShadow({ mode: 'open' }));
  }, []);
  return host;
}
