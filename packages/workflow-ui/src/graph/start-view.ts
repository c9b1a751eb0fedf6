import { nodeSize } from '@weir/ui-kit/graph-layout';
import type { LaidOut } from './graph-items';

/** The visible part of the graph: the position of its origin in the window, and the scale. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface StartOptions {
  /** A graph that would be smaller is shown in part. */
  readonly smallestScale: number;
  /** The scale of a part, at which names are readable without zooming. */
  readonly partScale: number;
  readonly selected?: string | undefined;
}

const margin = 24;
/** The zoom buttons and the overview cover the lower corners. */
const cornersHeight = 128;

/** Shows the whole graph where it stays readable, else the surroundings of the selected item, else its beginning. */
export function startView({ layout, direction }: LaidOut, size: Size, options: StartOptions): View {
  const fitting = fitView(layout, size);
  if (fitting.scale >= options.smallestScale) return fitting;
  const scale = options.partScale;
  const node = layout.nodes.find(({ id }) => id === options.selected);
  // Across the main direction the view begins in the middle, where the first rank is.
  const x = node?.x ?? (direction === 'right' ? 0 : layout.width / 2);
  const y = node?.y ?? (direction === 'down' ? 0 : layout.height / 2);
  return {
    scale,
    x: place(size.width, layout.width * scale, { middle: (x + nodeSize.width / 2) * scale, after: margin }),
    y: place(size.height, layout.height * scale, { middle: (y + nodeSize.height / 2) * scale, after: cornersHeight }),
  };
}

interface Placement {
  /** The position that should be in the middle. */
  readonly middle: number;
  /** The space that is left after the end of the graph. */
  readonly after: number;
}

/** Returns where the graph begins, so that nothing is shown beside it. */
function place(room: number, length: number, { middle, after }: Placement): number {
  if (length + margin + after <= room) return (room - length) / 2;
  return Math.min(margin, Math.max(room - after - length, room / 2 - middle));
}

/** Shows the whole graph in the middle, at most in its own size. */
export function fitView(graph: Size, size: Size): View {
  const room = (length: number): number => Math.max(1, length - 2 * margin);
  const scale = Math.min(1, room(size.width) / graph.width, room(size.height) / graph.height);
  return { scale, x: (size.width - graph.width * scale) / 2, y: (size.height - graph.height * scale) / 2 };
}
