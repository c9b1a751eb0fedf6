import type { GraphDirection } from '@weir/ui-kit/graph-layout';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { GraphItem, LaidOut } from './graph-items';
import type { LayoutAnswer, LayoutOrder } from './layout-worker';

const narrowPx = 768;

export interface LayoutOptions {
  readonly items: readonly GraphItem[];
  /** The direction that a person has chosen; without one, the direction that shows more of the graph is used. */
  readonly direction: GraphDirection | undefined;
  /** The element in which the graph is drawn. */
  readonly box: RefObject<HTMLElement | null>;
}

/** Lays the items out in a worker. The earlier layout stays until the next is there. */
export function useLayout({ items, direction, box }: LayoutOptions): LaidOut | undefined {
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
    const { clientWidth: width, clientHeight: height } = box.current ?? { clientWidth: 0, clientHeight: 0 };
    const order: LayoutOrder = {
      number,
      direction,
      preferred: innerWidth < narrowPx ? 'down' : 'right',
      room: { width, height },
      nodes: items.map(({ id, depends }) => ({ id, depends })),
    };
    const onMessage = ({ data }: MessageEvent<LayoutAnswer>): void => {
      if (data.number === number) setLaidOut({ items, layout: data.layout, direction: data.direction });
    };
    current.addEventListener('message', onMessage);
    current.postMessage(order);
    return () => current.removeEventListener('message', onMessage);
  }, [items, direction, box]);
  return laidOut;
}
