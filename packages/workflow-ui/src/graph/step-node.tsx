import type { Node, NodeProps } from '@xyflow/react';
import { StatusShape, classNames, statusTones, type StatusKind } from '@weir/ui-kit';
import { Layers2 } from 'lucide-react';
import { memo, useContext, useSyncExternalStore, type ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { GraphContext } from './graph-context';
import type { GraphItem } from './graph-items';
import { useGraphMessages } from './graph-messages';
import { readLook } from './graph-store';
import styles from './graph.module.css';

export type StepFlowNode = Node<{ readonly item: GraphItem }, 'step'>;

/** A step, or a stack of similar steps. Its status and marks come from the store: the node itself does not change. */
export const StepNode = memo(function StepNode({ data: { item } }: NodeProps<StepFlowNode>): ReactElement {
  const store = useContext(GraphContext);
  const look = readLook(useSyncExternalStore(store.subscribe, () => store.lookTextOf(item.names)));
  const { status, isSelected, isFaded, isCritical } = look;
  const isStack = item.names.length > 1;
  return (
    <div
      className={classNames(
        styles.node,
        isStack && styles.stack,
        isCritical && styles.critical,
        isSelected && styles.selected,
        isFaded && styles.faded,
      )}
      data-tone-of-node={status === undefined ? undefined : statusTones[status]}
      data-step={item.id}
      data-status={status}
      data-critical={isCritical}
    >
      <NodeIcon status={status} isStack={isStack} />
      <span className={styles.texts}>
        <span className={styles.name} title={item.id}>
          {item.id}
        </span>
        <NodeNote item={item} ended={look.ended} hasStatus={status !== undefined} />
      </span>
    </div>
  );
});

interface NodeIconProps {
  readonly status: StatusKind | undefined;
  readonly isStack: boolean;
}

function NodeIcon({ status, isStack }: NodeIconProps): ReactElement | null {
  const t = useAppMessages();
  if (status !== undefined) return <StatusShape kind={status} label={t(`app.status.${status}`)} />;
  return isStack ? <Layers2 aria-hidden size={16} /> : null;
}

interface NodeNoteProps {
  readonly item: GraphItem;
  readonly ended: number;
  readonly hasStatus: boolean;
}

function NodeNote({ item: { names, kind }, ended, hasStatus }: NodeNoteProps): ReactElement | null {
  const t = useGraphMessages();
  const count = names.length;
  if (count === 1) return kind === undefined || kind === '' ? null : <span className={styles.note}>{kind}</span>;
  const text = hasStatus ? t('graph.stackEnded', { ended, count }) : t('graph.stack', { count });
  return <span className={styles.note}>{text}</span>;
}
