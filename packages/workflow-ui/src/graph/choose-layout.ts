import { layoutGraph, type GraphDirection, type GraphLayout, type GraphNode } from '@weir/ui-kit/graph-layout';
import { fitView, type Size } from './start-view';

export interface LayoutChoice {
  readonly nodes: readonly GraphNode[];
  /** The direction for graphs that fit equally well in both. */
  readonly preferred: GraphDirection;
  /** The space for the graph. */
  readonly room: Size;
}

export interface DirectedLayout {
  readonly layout: GraphLayout;
  readonly direction: GraphDirection;
}

/** Larger graphs fit in neither direction, and would take twice the time. */
const mostChosen = 200;
/** A small gain does not justify another direction than that of other graphs. */
const leastGain = 1.15;

/** Lays a graph out in the direction in which the whole of it is shown larger. */
export function chooseLayout({ nodes, preferred, room }: LayoutChoice): DirectedLayout {
  const first = { layout: layoutGraph({ nodes, direction: preferred }), direction: preferred };
  const scale = fitView(first.layout, room).scale;
  if (scale === 1 || nodes.length > mostChosen) return first;
  const direction = preferred === 'right' ? 'down' : 'right';
  const second = { layout: layoutGraph({ nodes, direction }), direction } as const;
  return fitView(second.layout, room).scale >= scale * leastGain ? second : first;
}
