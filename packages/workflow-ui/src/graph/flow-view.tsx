import { nodeSize } from '@weir/ui-kit/graph-layout';
import { MiniMap, ReactFlow, ReactFlowProvider, useReactFlow, type MiniMapNodeProps } from '@xyflow/react';
import './flow.css';
import { useContext, useEffect, useImperativeHandle, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ReactElement, RefObject } from 'react';
import { statusTones } from '@weir/ui-kit';
import { FlowEdges } from './flow-edges';
import { GraphContext } from './graph-context';
import { useGraphMessages } from './graph-messages';
import { readLook } from './graph-store';
import { startView } from './start-view';
import type { GraphViewProps } from './graph-view';
import { StepNode, type StepFlowNode } from './step-node';
import styles from './graph.module.css';

const nodeTypes = { step: StepNode };
/** From this many nodes on, only visible ones are in the page. */
const culledFrom = 200;
const overviewFrom = 12;
const fitOptions = { padding: 0.06, maxZoom: 1 } as const;
/** A graph that would be smaller is shown in part, in its own size. */
const smallestStart = 0.5;
/** A step that was navigated to is readable without zooming. */
const smallestShown = 0.7;

/** The graph as elements of the page. */
export function FlowView(props: GraphViewProps): ReactElement {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

function Flow({ laidOut, selected, onSelect, handle }: GraphViewProps): ReactElement {
  const t = useGraphMessages();
  const box = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => toFlowNodes(laidOut), [laidOut]);
  const { start, onMove } = useStartView(box, laidOut, selected);
  useTools(handle, laidOut, onMove);
  return (
    <ReactFlow
      ref={box}
      // The area around it speaks the selected step; invisible steps are not even in the page.
      aria-hidden
      nodes={nodes}
      nodeTypes={nodeTypes}
      onNodeClick={(_, { data: { item } }) => {
        onMove();
        onSelect(item);
      }}
      onlyRenderVisibleElements={nodes.length >= culledFrom}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode={null}
      zoomOnDoubleClick={false}
      minZoom={0.02}
      maxZoom={2}
      onInit={start}
      // Moves of the program come without an event.
      onMoveStart={(event) => {
        if (event !== null) onMove();
      }}
      proOptions={{ hideAttribution: true }}
    >
      <FlowEdges laidOut={laidOut} selected={selected} />
      {nodes.length < overviewFrom ? null : (
        <MiniMap
          pannable
          zoomable
          ariaLabel={t('graph.minimap')}
          nodeComponent={MapNode}
          className={styles.minimap ?? ''}
          style={{ width: 168, height: 104 }}
        />
      )}
    </ReactFlow>
  );
}

/** The actions of buttons and keys on the view. */
function useTools(handle: GraphViewProps['handle'], laidOut: GraphViewProps['laidOut'], onMove: () => void): void {
  const flow = useReactFlow();
  useImperativeHandle(handle, () => {
    // Otherwise the next resize of the window would reset the view.
    const moving = (move: () => unknown) => (): void => {
      onMove();
      void move();
    };
    return {
      zoomIn: moving(() => flow.zoomIn()),
      zoomOut: moving(() => flow.zoomOut()),
      fit: moving(() => flow.fitView(fitOptions)),
      show: (id) => {
        const node = laidOut.layout.nodes.find((placed) => placed.id === id);
        if (node === undefined) return;
        onMove();
        const zoom = Math.max(flow.getZoom(), smallestShown);
        void flow.setCenter(node.x + nodeSize.width / 2, node.y + nodeSize.height / 2, { zoom });
      },
    };
  });
}

interface StartView {
  /** Shows the initial view of the graph, unless a person has already moved it. */
  readonly start: () => void;
  /** Must be called when a person moves the view, or selects something in it. */
  readonly onMove: () => void;
}

/** Until a person moves it, the view follows the drawing and the size of its window. */
function useStartView(
  box: RefObject<HTMLDivElement | null>,
  laidOut: GraphViewProps['laidOut'],
  selected: string | undefined,
): StartView {
  const flow = useReactFlow();
  const isMoved = useRef(false);
  const start = useRef<() => void>(() => undefined);
  start.current = () => {
    const { clientWidth: width, clientHeight: height } = box.current ?? { clientWidth: 0, clientHeight: 0 };
    const { x, y, scale } = startView(
      laidOut,
      { width, height },
      { smallestScale: smallestStart, partScale: 1, selected },
    );
    void flow.setViewport({ x, y, zoom: scale });
  };
  const shape = `${laidOut.direction} ${laidOut.items.length}`;
  useEffect(() => {
    isMoved.current = false;
    start.current();
  }, [shape]);
  useEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (!isMoved.current) start.current();
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return {
    start: () => {
      if (!isMoved.current) start.current();
    },
    onMove: () => {
      isMoved.current = true;
    },
  };
}

function toFlowNodes({ items, layout }: GraphViewProps['laidOut']): StepFlowNode[] {
  return items.flatMap((item, index) => {
    const placed = layout.nodes[index];
    return placed === undefined
      ? []
      : [{ id: item.id, type: 'step', position: { x: placed.x, y: placed.y }, data: { item }, ...nodeSize }];
  });
}

function MapNode({ id, x, y, width, height }: MiniMapNodeProps): ReactElement {
  const store = useContext(GraphContext);
  const { status, isSelected } = readLook(useSyncExternalStore(store.subscribe, () => store.lookTextOf([id])));
  return (
    <rect
      {...{ x, y, width, height }}
      className={isSelected ? styles.mapSelected : styles.mapNode}
      data-tone-of-node={status === undefined ? undefined : statusTones[status]}
    />
  );
}
