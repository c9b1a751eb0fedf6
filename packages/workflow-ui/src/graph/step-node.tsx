import type { Node, NodeProps } from '@xyflow/react';
import { StatusShape, classNames, statusTones } from '@weir/ui-kit';
import { memo, useContext, useSyncExternalStore, type ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { GraphContext } from './graph-context';
import { titleOf, type GraphItem } from './graph-items';
import { useGraphMessages } from './graph-messages';
import { readLook, type NodeLook } from './graph-store';
import styles from './graph.module.css';

export type StepFlowNode = Node<{ readonly item: GraphItem }, 'step'>;

/** A step, or a stack of similar steps. Its status and marks come from the store: the node itself does not change. */
export const StepNode = memo(function StepNode({ data: { item } }: NodeProps<StepFlowNode>): ReactElement {
  const t = useAppMessages();
  const store = useContext(GraphContext);
  const look = readLook(useSyncExternalStore(store.subscribe, () => store.lookTextOf(item.names)));
  const { status, isSelected, isFaded, isCritical } = look;
  const isStack = item.names.length > 1;
  const title = titleOf(item);
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
      {status === undefined ? null : <StatusShape kind={status} label={t(`app.status.${status}`)} />}
      <span className={styles.texts}>
        <span className={styles.name} title={title}>
          {title}
        </span>
        <NodeNote item={item} look={look} />
      </span>
    </div>
  );
});

interface NodeNoteProps {
  readonly item: GraphItem;
  readonly look: NodeLook;
}

function NodeNote({ item: { names, kind }, look: { status, ended, failed } }: NodeNoteProps): ReactElement | null {
  const t = useGraphMessages();
  const count = names.length;
  if (count === 1) return kind === undefined || kind === '' ? null : <span className={styles.note}>{kind}</span>;
  const [first, ...others] = failed;
  const what = others.length === 0 ? first : failed.length;
  if (status === undefined) return null;
  return (
    <span className={styles.note}>
      {t('graph.stack', { good: ended - failed.length, count })}
      {what === undefined ? null : t('graph.stackFailed', { what })}
    </span>
  );
}
