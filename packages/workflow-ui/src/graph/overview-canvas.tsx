import { nodeSize } from '@weir/ui-kit/graph-layout';
import { useCallback, useEffect, useImperativeHandle, useRef, type MouseEvent, type ReactElement } from 'react';
import type { LaidOut } from './graph-items';
import type { GraphViewProps } from './graph-view';
import { fitView, startView, type View } from './start-view';
import { useDrag, useWheel } from './use-canvas-input';
import { sizeOf, usePicture } from './use-picture';
import styles from './graph.module.css';

const zoomStep = 1.25;
const smallestZoom = 0.002;
const largestZoom = 2;
/** Names of steps are readable at this scale: a graph that would be smaller is shown in part. */
const namedScale = 0.7;

/** A large graph as one picture, of which only the visible part is drawn. */
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
      const scale = Math.max(view.current.scale, namedScale);
      const { width, height } = sizeOf(canvas);
      const middle = { x: node.x + nodeSize.width / 2, y: node.y + nodeSize.height / 2 };
      view.current = { scale, x: width / 2 - middle.x * scale, y: height / 2 - middle.y * scale };
      redraw();
    },
  }));
  useEffect(() => {
    const start = (): void => {
      view.current = startView(laidOut, sizeOf(canvas), {
        smallestScale: namedScale,
        partScale: namedScale,
        selected: startAt.current,
      });
      redraw();
    };
    start();
    return resize(start);
  }, [view, redraw, resize, laidOut]);
  useWheel(canvas, zoom);
  const drag = useDrag({
    view,
    redraw,
    onPress: (x, y) => {
      const item = itemAt(laidOut, view.current, { x, y });
      if (item !== undefined) onSelect(item);
    },
  });
  // Where the graph is small, its names are not drawn, so the pointer shows them.
  const nameWhatIsPointedAt = ({ currentTarget, nativeEvent: { offsetX, offsetY } }: MouseEvent): void => {
    currentTarget.setAttribute('title', itemAt(laidOut, view.current, { x: offsetX, y: offsetY })?.id ?? '');
  };
  return <canvas ref={canvas} aria-hidden className={styles.overview} {...drag} onMouseMove={nameWhatIsPointedAt} />;
}

/** Returns the item that is drawn at a point of the window. */
function itemAt({ layout, items }: LaidOut, { x, y, scale }: View, at: Readonly<Record<'x' | 'y', number>>) {
  const [left, top] = [(at.x - x) / scale, (at.y - y) / scale];
  const index = layout.nodes.findIndex(
    (node) => left >= node.x && left <= node.x + nodeSize.width && top >= node.y && top <= node.y + nodeSize.height,
  );
  return items[index];
}
