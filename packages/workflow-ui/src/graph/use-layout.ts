import type { GraphDirection, GraphLayout } from '@weir/ui-kit/graph-layout';
import { useEffect, useRef, useState } from 'react';
import type { GraphItem } from './graph-items';
import type { LayoutAnswer, LayoutOrder } from './layout-worker';

/** Items with their places; both belong together. */
export interface LaidOut {
  readonly items: readonly GraphItem[];
  readonly layout: GraphLayout;
  readonly direction: GraphDirection;
}

/** Has the items laid out beside the page. What was laid out before stays until the next is there. */
export function useLayout(items: readonly GraphItem[], direction: GraphDirection): LaidOut | undefined {
  const [laidOut, setLaidOut] = useState<LaidOut>();
  const worker = useRef<Worker>(undefined);
  const lastNumber = useRef(0);
  useEffect(() => {
    const started = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.current = started;
    return () => started.terminate();
  }, []);
  useEffect(() => {
    const current = worker.current;
    if (current === undefined) return undefined;
    const number = (lastNumber.current += 1);
    const order: LayoutOrder = { number, direction, nodes: items.map(({ id, depends }) => ({ id, depends })) };
    const onMessage = ({ data }: MessageEvent<LayoutAnswer>): void => {
      if (data.number === number) setLaidOut({ items, layout: data.layout, direction });
    };
    current.addEventListener('message', onMessage);
    current.postMessage(order);
    return () => current.removeEventListener('message', onMessage);
  }, [items, direction]);
  return laidOut;
}
