import type { Ref } from 'react';
import type { GraphItem, LaidOut } from './graph-items';

/** The actions of tools and keys on a drawing. */
export interface GraphHandle {
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
  /** Moves the view so that the item is visible. */
  readonly show: (id: string) => void;
}

/** The properties of every drawing of a graph. */
export interface GraphViewProps {
  readonly laidOut: LaidOut;
  /** The id of the item that holds the selected step. */
  readonly selected: string | undefined;
  readonly onSelect: (item: GraphItem) => void;
  readonly handle: Ref<GraphHandle>;
}
