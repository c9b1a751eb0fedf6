import { useEffect, useRef, type RefObject } from 'react';

/** An element with a shadow root of its own for what draws itself; `draw` returns what removes it again. */
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
