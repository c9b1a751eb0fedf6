import type { Ref } from 'react';
import type { GraphItem, LaidOut } from './graph-items';

/** What the tools and the keys do to a drawing. */
export interface GraphHandle {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
  /** Moves so that the item is seen. */
  readonly show: (id: string) => void;
}

/** What draws a graph that is laid out. */
export interface GraphViewProps {
  readonly laidOut: LaidOut;
  /** The id of the item that holds the selected step. */
  readonly selected: string | undefined;
  readonly onSelect: (item: GraphItem) => void;
  readonly handle: Ref<GraphHandle>;
}
