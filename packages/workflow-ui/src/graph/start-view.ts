import { nodeSize } from '@weir/ui-kit/graph-layout';
import type { LaidOut } from './graph-items';

/** The part of the graph that is seen: the place of its origin in the window, and the size of one of its points. */
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
  /** That of a part: names are read without zooming. */
  readonly partScale: number;
  readonly selected?: string | undefined;
}

const margin = 24;
/** The zoom and the overview lie over the lower corners. */
const cornersHeight = 128;

/** All of the graph where it stays readable, else what is around the selected item, else its beginning. */
export function startView({ layout, direction }: LaidOut, size: Size, options: StartOptions): View {
  const fitting = fitView(layout, size);
  if (fitting.scale >= options.smallestScale) return fitting;
  const scale = options.partScale;
  const node = layout.nodes.find(({ id }) => id === options.selected);
  // What is not in the main direction begins in the middle: the first rank is there.
  const x = node?.x ?? (direction === 'right' ? 0 : layout.width / 2);
  const y = node?.y ?? (direction === 'down' ? 0 : layout.height / 2);
  return {
    scale,
    x: place(size.width, layout.width * scale, { middle: (x + nodeSize.width / 2) * scale, after: margin }),
    y: place(size.height, layout.height * scale, { middle: (y + nodeSize.height / 2) * scale, after: cornersHeight }),
  };
}

interface Placement {
  /** What of the graph is to be in the middle. */
  readonly middle: number;
  /** The room that is left after the graph where its end is shown. */
  readonly after: number;
}

/** Where the graph begins, so that nothing is shown beside it. */
function place(room: number, length: number, { middle, after }: Placement): number {
  if (length + margin + after <= room) return (room - length) / 2;
  return Math.min(margin, Math.max(room - after - length, room / 2 - middle));
}

/** All of the graph in the middle, at most in its own size. */
export function fitView(graph: Size, size: Size): View {
  const room = (length: number): number => Math.max(1, length - 2 * margin);
  const scale = Math.min(1, room(size.width) / graph.width, room(size.height) / graph.height);
  return { scale, x: (size.width - graph.width * scale) / 2, y: (size.height - graph.height * scale) / 2 };
}
