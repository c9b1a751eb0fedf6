import { nodeSize } from '@weir/ui-kit/graph-layout';
import type { LaidOut } from './use-layout';

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
  readonly selected?: string | undefined;
}

const margin = 24;

/** All of the graph where it stays readable, else what is around the selected item, else its beginning. */
export function startView({ layout, direction }: LaidOut, size: Size, options: StartOptions): View {
  const fitting = fitView(layout, size);
  if (fitting.scale >= options.smallestScale) return fitting;
  const scale = options.smallestScale;
  const node = layout.nodes.find(({ id }) => id === options.selected);
  if (node !== undefined) {
    const [x, y] = [node.x + nodeSize.width / 2, node.y + nodeSize.height / 2];
    return { scale, x: size.width / 2 - x * scale, y: size.height / 2 - y * scale };
  }
  const begin = (room: number, needed: number, isMain: boolean): number =>
    isMain && needed * scale > room ? margin : (room - needed * scale) / 2;
  return {
    scale,
    x: begin(size.width, layout.width, direction === 'right'),
    y: begin(size.height, layout.height, direction === 'down'),
  };
}

/** All of the graph in the middle, at most in its own size. */
export function fitView(graph: Size, size: Size): View {
  const room = (length: number): number => Math.max(1, length - 2 * margin);
  const scale = Math.min(1, room(size.width) / graph.width, room(size.height) / graph.height);
  return { scale, x: (size.width - graph.width * scale) / 2, y: (size.height - graph.height * scale) / 2 };
}
