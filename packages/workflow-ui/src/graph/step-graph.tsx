import { Button, EmptyState } from '@weir/ui-kit';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { findCriticalPath } from './critical-path';
import { CriticalPathSwitch } from './critical-path-switch';
import { Drawing } from './drawing';
import { GraphContext } from './graph-context';
import { GraphDownload } from './graph-download';
import type { GraphItem } from './graph-items';
import { useGraphMessages } from './graph-messages';
import type { GraphStep } from './graph-step';
import { GraphTools } from './graph-tools';
import type { GraphHandle } from './graph-view';
import { SelectedStep } from './selected-step';
import { StepList } from './step-list';
import { useGraphFilter } from './use-graph-filter';
import { useLayout } from './use-layout';
import { GraphStore, type Marks } from './graph-store';
import styles from './graph.module.css';

/** Above this number, the graph is one picture with a list beside it. */
const mostElements = 1500;

export interface StepGraphProps {
  /** The name of the graph for people who do not see it. */
  readonly label: string;
  readonly steps: readonly GraphStep[];
  /** The name of saved pictures, without an extension. Without it, saving is not offered. */
  readonly fileName?: string;
  readonly selected?: string | undefined;
  readonly onSelect: (name: string) => void;
  /** More tools, at the end of the row. */
  readonly children?: ReactNode;
}

/** The graph of the steps of a DAG or a run, with its tools. It fills the space around it. */
export function StepGraph({ label, steps, fileName, selected, onSelect, children }: StepGraphProps): ReactElement {
  const handle = useRef<GraphHandle>(null);
  const [found, setFound] = useState<ReadonlySet<string>>();
  const [showsCritical, showCritical] = useState(false);
  const path = useMemo(() => findCriticalPath(steps), [steps]);
  const critical = showsCritical ? path?.names : undefined;
  const store = useGraphStore(steps, selected, { found, critical });
  const filter = useGraphFilter(steps, selected);
  const { items, direction, unfold } = filter;
  const body = useRef<HTMLDivElement>(null);
  const laidOut = useLayout({ items, direction, box: body });
  const itemOf = useMemo(() => indexItems(items), [items]);
  const selectedItem = selected === undefined ? undefined : itemOf.get(selected)?.id;
  const open = useCallback(
    ({ id, names }: GraphItem): void => (names.length > 1 ? unfold(id) : onSelect(id)),
    [unfold, onSelect],
  );
  const goTo = (name: string): void => {
    onSelect(name);
    const id = itemOf.get(name)?.id;
    if (id !== undefined) handle.current?.show(id);
  };
  // A single step leaves nothing to find, to hide or to save.
  const isSingle = steps.length < 2;
  const isLarge = (laidOut?.items ?? items).length > mostElements;
  return (
    <GraphContext value={store}>
      <section aria-label={label} className={styles.graph}>
        {isSingle && (children ?? null) === null ? null : (
          <GraphTools {...{ steps, selected, filter, onFound: setFound, onGoTo: goTo }} direction={laidOut?.direction}>
            {path === undefined ? null : (
              <CriticalPathSwitch path={path} isShown={showsCritical} onShow={showCritical} />
            )}
            {children}
            {isSingle || fileName === undefined ? null : <GraphDownload fileName={fileName} laidOut={laidOut} />}
          </GraphTools>
        )}
        <div ref={body} className={styles.body}>
          {isLarge ? (
            <div className={styles.side}>
              <StepList steps={steps} selected={selected} onSelect={goTo} />
            </div>
          ) : null}
          {items.length === 0 ? (
            <NothingDrawn hasSteps={steps.length > 0} onShowAll={filter.showAll} />
          ) : (
            <Drawing {...{ label, laidOut, isLarge, selected: selectedItem, onOpen: open, onGoTo: goTo, handle }} />
          )}
        </div>
        <SelectedStep steps={steps} selected={selected} />
      </section>
    </GraphContext>
  );
}

function indexItems(items: readonly GraphItem[]): ReadonlyMap<string, GraphItem> {
  return new Map(items.flatMap((item) => item.names.map((name) => [name, item] as const)));
}

interface NothingDrawnProps {
  readonly hasSteps: boolean;
  readonly onShowAll: () => void;
}

function NothingDrawn({ hasSteps, onShowAll }: NothingDrawnProps): ReactElement {
  const t = useGraphMessages();
  if (!hasSteps) return <EmptyState title={t('graph.empty.title')}>{t('graph.empty.text')}</EmptyState>;
  return (
    <EmptyState title={t('graph.allHidden.title')} action={<Button onPress={onShowAll}>{t('graph.showAll')}</Button>}>
      {t('graph.allHidden.text')}
    </EmptyState>
  );
}

/** Returns the store of a graph, and updates it with the graph's properties. */
function useGraphStore(
  steps: readonly GraphStep[],
  selected: string | undefined,
  { found, critical }: Pick<Marks, 'found' | 'critical'>,
): GraphStore {
  const [store] = useState(() => new GraphStore());
  useEffect(() => store.setSteps(steps), [store, steps]);
  useEffect(() => store.setMarks({ selected, found, critical }), [store, selected, found, critical]);
  return store;
}
