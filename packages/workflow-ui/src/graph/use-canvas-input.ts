import { useEffect, useRef, type PointerEvent, type RefObject } from 'react';
import type { View } from './start-view';

/** A press that moves less is a click. */
const clickSlackPx = 4;

interface DragOptions {
  readonly view: RefObject<View>;
  readonly redraw: () => void;
  readonly onPress: (x: number, y: number) => void;
}

/** Moves the view with the pointer. */
export function useDrag({ view, redraw, onPress }: DragOptions) {
  const last = useRef<{ readonly x: number; readonly y: number; readonly way: number }>(undefined);
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY, way: 0 };
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      if (last.current === undefined) return;
      const { clientX: x, clientY: y } = event;
      const [dx, dy] = [x - last.current.x, y - last.current.y];
      last.current = { x, y, way: last.current.way + Math.abs(dx) + Math.abs(dy) };
      view.current = { ...view.current, x: view.current.x + dx, y: view.current.y + dy };
      redraw();
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
      const isPress = last.current !== undefined && last.current.way < clickSlackPx;
      last.current = undefined;
      const box = event.currentTarget.getBoundingClientRect();
      if (isPress) onPress(event.clientX - box.left, event.clientY - box.top);
    },
  };
}

type Zoom = (factor: number, centre: { readonly x: number; readonly y: number }) => void;

/** React listens to the wheel passively, so that the page would scroll as well. */
export function useWheel(canvas: RefObject<HTMLCanvasElement | null>, zoom: Zoom): void {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 400), { x: event.clientX - box.left, y: event.clientY - box.top });
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, zoom]);
}
