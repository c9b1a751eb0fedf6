import type { PlacedEdge } from '@weir/ui-kit/graph-layout';
import { ViewportPortal } from '@xyflow/react';
import { useMemo, type ReactElement } from 'react';
import { arrowPath, edgePath } from './edge-path';
import type { LaidOut } from './use-layout';
import styles from './graph.module.css';

export interface FlowEdgesProps {
  readonly laidOut: LaidOut;
  /** The item whose edges stand out. */
  readonly selected: string | undefined;
}

/** All edges as a few paths: thousands of elements would slow every movement down. */
export function FlowEdges({ laidOut: { layout, direction }, selected }: FlowEdgesProps): ReactElement {
  const isRight = direction === 'right';
  const all = useMemo(() => joinPaths(layout.edges, isRight), [layout, isRight]);
  const own = useMemo(
    () =>
      joinPaths(
        layout.edges.filter(({ from, to }) => from === selected || to === selected),
        isRight,
      ),
    [layout, isRight, selected],
  );
  return (
    <ViewportPortal>
      <svg aria-hidden className={styles.edges} width={layout.width} height={layout.height}>
        <path d={all.lines} className={styles.edge} />
        <path d={all.heads} className={styles.head} />
        <path d={own.lines} className={styles.ownEdge} />
        <path d={own.heads} className={styles.ownHead} />
      </svg>
    </ViewportPortal>
  );
}

function joinPaths(edges: readonly PlacedEdge[], isRight: boolean): { readonly lines: string; readonly heads: string } {
  return {
    lines: edges.map((edge) => edgePath(edge, isRight)).join(''),
    heads: edges.map((edge) => arrowPath(edge, isRight)).join(''),
  };
}
