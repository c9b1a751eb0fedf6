import { nodeSize } from '@weir/ui-kit/graph-layout';
import { useCallback, useEffect, useImperativeHandle, useRef, type ReactElement } from 'react';
import type { GraphViewProps } from './graph-view';
import { fitView, startView } from './start-view';
import { useDrag, useWheel } from './use-canvas-input';
import { sizeOf, usePicture } from './use-picture';
import styles from './graph.module.css';

const zoomStep = 1.25;
const smallestZoom = 0.002;
const largestZoom = 2;
/** A graph that would be smaller is shown from its beginning. */
const smallestScale = 0.12;

/** A large graph as one picture, of which only what is seen is drawn. */
export function OverviewCanvas({ laidOut, selected, onSelect, handle }: GraphViewProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { view, redraw, resize } = usePicture(canvas, laidOut);
  const startAt = useRef(selected);
  startAt.current = selected;
  const zoom = useCallback(
    (factor: number, centre?: { readonly x: number; readonly y: number }): void => {
      const { x, y, scale } = view.current;
      const next = Math.min(largestZoom, Math.max(smallestZoom, scale * factor));
      const { width, height } = sizeOf(canvas);
      const at = centre ?? { x: width / 2, y: height / 2 };
      view.current = { scale: next, x: at.x - ((at.x - x) * next) / scale, y: at.y - ((at.y - y) * next) / scale };
      redraw();
    },
    [view, redraw],
  );
  const fit = useCallback((): void => {
    view.current = fitView(laidOut.layout, sizeOf(canvas));
    redraw();
  }, [view, redraw, laidOut]);
  useImperativeHandle(handle, () => ({
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    fit,
    show: (id) => {
      const node = laidOut.layout.nodes.find((placed) => placed.id === id);
      if (node === undefined) return;
      const scale = Math.max(view.current.scale, 0.6);
      const { width, height } = sizeOf(canvas);
      const middle = { x: node.x + nodeSize.width / 2, y: node.y + nodeSize.height / 2 };
      view.current = { scale, x: width / 2 - middle.x * scale, y: height / 2 - middle.y * scale };
      redraw();
    },
  }));
  useEffect(() => {
    const start = (): void => {
      view.current = startView(laidOut, sizeOf(canvas), { smallestScale, selected: startAt.current });
      redraw();
    };
    start();
    return resize(start);
  }, [view, redraw, resize, laidOut]);
  useWheel(canvas, zoom);
  const select = (x: number, y: number): void => {
    const at = { x: (x - view.current.x) / view.current.scale, y: (y - view.current.y) / view.current.scale };
    const index = laidOut.layout.nodes.findIndex(
      (node) => at.x >= node.x && at.x <= node.x + nodeSize.width && at.y >= node.y && at.y <= node.y + nodeSize.height,
    );
    const item = laidOut.items[index];
    if (item !== undefined) onSelect(item);
  };
  const drag = useDrag({ view, redraw, onPress: select });
  return <canvas ref={canvas} aria-hidden className={styles.overview} {...drag} />;
}
