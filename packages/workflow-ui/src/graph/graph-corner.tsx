import { IconButton } from '@weir/ui-kit';
import { Maximize, Minus, Plus } from 'lucide-react';
import type { ReactElement, RefObject } from 'react';
import { useGraphMessages } from './graph-messages';
import type { GraphHandle } from './graph-view';
import styles from './graph.module.css';

/** The buttons for zooming, in a corner of the drawing. */
export function GraphCorner({ handle }: { readonly handle: RefObject<GraphHandle | null> }): ReactElement {
  const t = useGraphMessages();
  return (
    <div className={styles.corner}>
      <IconButton
        icon={<Plus aria-hidden size={16} />}
        label={t('graph.zoomIn')}
        onPress={() => handle.current?.zoomIn()}
      />
      <IconButton
        icon={<Minus aria-hidden size={16} />}
        label={t('graph.zoomOut')}
        onPress={() => handle.current?.zoomOut()}
      />
      <IconButton
        icon={<Maximize aria-hidden size={16} />}
        label={t('graph.fit')}
        onPress={() => handle.current?.fit()}
      />
    </div>
  );
}
