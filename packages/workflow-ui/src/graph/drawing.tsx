import { Skeleton } from '@weir/ui-kit';
import { Suspense, type KeyboardEvent, type ReactElement, type RefObject } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { GraphCorner } from './graph-corner';
import type { GraphItem, LaidOut } from './graph-items';
import { findNeighbour } from './graph-keys';
import { useGraphMessages } from './graph-messages';
import type { GraphHandle } from './graph-view';
import { OverviewCanvas } from './overview-canvas';
import styles from './graph.module.css';
import { lazyPart } from '../parts/lazy-part';

const FlowView = lazyPart(() => import('./flow-view'), 'FlowView');

export interface DrawingProps {
  readonly label: string;
  readonly laidOut: LaidOut | undefined;
  /** Whether the graph is too large for elements of the page. */
  readonly isLarge: boolean;
  /** The id of an item. */
  readonly selected: string | undefined;
  readonly onOpen: (item: GraphItem) => void;
  readonly onGoTo: (id: string) => void;
  readonly handle: RefObject<GraphHandle | null>;
}

/** The drawn graph, and its keys for moving. */
export function Drawing(props: DrawingProps): ReactElement {
  const { label, laidOut, isLarge, selected, onOpen, onGoTo, handle } = props;
  const t = useGraphMessages();
  const app = useAppMessages();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || laidOut === undefined) return;
    const next = findNeighbour(laidOut, selected, event.key);
    const item = event.key === 'Enter' ? laidOut.items.find(({ id }) => id === selected) : undefined;
    const tool = toolOf(event.key, handle.current);
    if (next === undefined && item === undefined && tool === undefined) return;
    event.preventDefault();
    if (next !== undefined) onGoTo(next);
    if (item !== undefined) onOpen(item);
    tool?.();
  };
  const View = isLarge ? OverviewCanvas : FlowView;
  const loading = <Skeleton label={app('app.loading')} />;
  return (
    <div
      role="application"
      tabIndex={0}
      aria-label={t('graph.canvas', { label })}
      className={styles.canvas}
      onKeyDown={onKeyDown}
    >
      {laidOut === undefined ? (
        loading
      ) : (
        <Suspense fallback={loading}>
          <View laidOut={laidOut} selected={selected} onSelect={onOpen} handle={handle} />
          <GraphCorner handle={handle} />
        </Suspense>
      )}
    </div>
  );
}

function toolOf(key: string, handle: GraphHandle | null): (() => void) | undefined {
  if (key === '+') return handle?.zoomIn;
  if (key === '-') return handle?.zoomOut;
  return key === '0' ? handle?.fit : undefined;
}
