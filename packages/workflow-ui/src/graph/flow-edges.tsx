import type { PlacedEdge } from '@weir/ui-kit/graph-layout';
import { ViewportPortal } from '@xyflow/react';
import { useContext, useMemo, useSyncExternalStore, type ReactElement } from 'react';
import { arrowPath, edgePath } from './edge-path';
import { GraphContext } from './graph-context';
import type { LaidOut } from './graph-items';
import styles from './graph.module.css';

export interface FlowEdgesProps {
  readonly laidOut: LaidOut;
  /** The item whose edges are highlighted. */
  readonly selected: string | undefined;
}

/** Draws all edges as a few paths: thousands of elements would slow every movement down. */
export function FlowEdges({ laidOut, selected }: FlowEdgesProps): ReactElement {
  const { layout, direction } = laidOut;
  const store = useContext(GraphContext);
  const path = useSyncExternalStore(store.subscribe, store.getCritical);
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
  const critical = useMemo(() => joinPaths(findCriticalEdges(laidOut, path), isRight), [laidOut, path, isRight]);
  return (
    <ViewportPortal>
      <svg aria-hidden className={styles.edges} width={layout.width} height={layout.height}>
        <path d={all.lines} className={styles.edge} />
        <path d={all.heads} className={styles.head} />
        <path d={critical.lines} className={styles.criticalEdge} />
        <path d={critical.heads} className={styles.ownHead} />
        <path d={own.lines} className={styles.ownEdge} />
        <path d={own.heads} className={styles.ownHead} />
      </svg>
    </ViewportPortal>
  );
}

/** Finds the edges between items that hold steps of the path. */
function findCriticalEdges({ items, layout }: LaidOut, path: readonly string[] | undefined): readonly PlacedEdge[] {
  if (path === undefined) return [];
  const steps = new Set(path);
  const marked = new Set(items.filter(({ names }) => names.some((name) => steps.has(name))).map(({ id }) => id));
  return layout.edges.filter(({ from, to }) => marked.has(from) && marked.has(to));
}

function joinPaths(edges: readonly PlacedEdge[], isRight: boolean): { readonly lines: string; readonly heads: string } {
  return {
    lines: edges.map((edge) => edgePath(edge, isRight)).join(''),
    heads: edges.map((edge) => arrowPath(edge, isRight)).join(''),
  };
}
