import { useCallback, useContext, useEffect, useRef, type RefObject } from 'react';
import { drawOverview, type Colours } from './draw-overview';
import { GraphContext } from './graph-context';
import type { GraphViewProps } from './graph-view';
import type { Size, View } from './start-view';

/** Draws at most once a frame, and again when a status, a mark or the theme changes. */
export function usePicture(canvas: RefObject<HTMLCanvasElement | null>, laidOut: GraphViewProps['laidOut']) {
  const store = useContext(GraphContext);
  const view = useRef<View>({ x: 0, y: 0, scale: 1 });
  const frame = useRef(0);
  const palette = useRef<Palette>(undefined);
  const redraw = useCallback((): void => {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      const context = canvas.current?.getContext('2d');
      if (canvas.current === null || context === null || context === undefined) return;
      const look = getComputedStyle(document.documentElement);
      const { colours, font } = (palette.current = refreshPalette(palette.current, canvas.current, look.color));
      const lookOf = (names: readonly string[]) => store.lookOf(names);
      canvas.current.dataset.drawn = 'true';
      drawOverview(context, sizeOf(canvas), view.current, { laidOut, lookOf, colours, font });
    });
  }, [canvas, laidOut, store]);
  useEffect(() => {
    const unsubscribe = store.subscribe(redraw);
    const stopWatching = watchTheme(redraw);
    return () => {
      unsubscribe();
      stopWatching();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [store, redraw]);
  /** Follows the size of the element; `onFirst` is called when it gets one. */
  const resize = useCallback(
    (onFirst: () => void): (() => void) => {
      const element = canvas.current;
      if (element === null) return () => undefined;
      let isFirst = true;
      const observer = new ResizeObserver(() => {
        const { width, height } = sizeOf(canvas);
        element.width = Math.round(width * devicePixelRatio);
        element.height = Math.round(height * devicePixelRatio);
        if (isFirst) onFirst();
        else redraw();
        isFirst = width === 0;
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [canvas, redraw],
  );
  return { view, redraw, resize };
}

export function sizeOf(canvas: RefObject<HTMLCanvasElement | null>): Size {
  return { width: canvas.current?.clientWidth ?? 0, height: canvas.current?.clientHeight ?? 0 };
}

function watchTheme(onChange: () => void): () => void {
  const themes = matchMedia('(prefers-color-scheme: dark)');
  themes.addEventListener('change', onChange);
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    themes.removeEventListener('change', onChange);
    observer.disconnect();
  };
}

interface Palette {
  /** The colour of texts, which differs between themes. */
  readonly theme: string;
  readonly colours: Colours;
  readonly font: string;
}

function refreshPalette(known: Palette | undefined, element: HTMLElement, theme: string): Palette {
  if (known?.theme === theme) return known;
  return { theme, colours: readColours(element), font: getComputedStyle(element).fontFamily };
}

const variables: Readonly<Record<keyof Colours, string>> = {
  success: '--status-success',
  failed: '--status-failed',
  running: '--status-running',
  waiting: '--status-waiting',
  queued: '--status-queued',
  none: '--status-none',
  edge: '--border-strong',
  text: '--text',
  page: '--raised',
  accent: '--accent',
};

/** A canvas does not know the custom properties, so they are resolved as the colour of an element. */
export function readColours(element: HTMLElement): Colours {
  const entries = Object.entries(variables).map(([name, variable]) => {
    element.style.color = `var(${variable})`;
    return [name, getComputedStyle(element).color];
  });
  return Object.fromEntries(entries) as Colours;
}
