import { ToggleButton } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { formatDuration } from '../app/time';
import type { CriticalPath } from './critical-path';
import { useGraphMessages } from './graph-messages';
import styles from './graph.module.css';

export interface CriticalPathSwitchProps {
  readonly path: CriticalPath;
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
}

/** Marks the steps that made the run as long as it was, and says how long they took. */
export function CriticalPathSwitch({
  path: { names, durationMs },
  isShown,
  onShow,
}: CriticalPathSwitchProps): ReactElement {
  const t = useGraphMessages();
  return (
    <>
      <ToggleButton isSelected={isShown} onChange={onShow}>
        {t('graph.critical')}
      </ToggleButton>
      <span role="status" className={styles.none} title={isShown ? names.join(' → ') : undefined}>
        {isShown ? t('graph.critical.path', { count: names.length, duration: formatDuration(durationMs) }) : null}
      </span>
    </>
  );
}
