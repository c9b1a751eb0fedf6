import { formatDuration } from '@weir/ui-kit/app';
import { Route } from 'lucide-react';
import type { ReactElement } from 'react';
import type { CriticalPath } from './critical-path';
import { useGraphMessages } from './graph-messages';
import { GraphToggle } from './graph-toggle';
import styles from './graph.module.css';

export interface CriticalPathSwitchProps {
  readonly path: CriticalPath;
  readonly isShown: boolean;
  readonly onShow: (isShown: boolean) => void;
}

/** Marks the steps that determined the duration of the run, and shows how long they took. */
export function CriticalPathSwitch({
  path: { names, durationMs },
  isShown,
  onShow,
}: CriticalPathSwitchProps): ReactElement {
  const t = useGraphMessages();
  return (
    <>
      <GraphToggle icon={Route} label={t('graph.critical')} isSelected={isShown} onChange={onShow} />
      <span role="status" className={styles.none} title={isShown ? names.join(' → ') : undefined}>
        {isShown ? t('graph.critical.path', { count: names.length, duration: formatDuration(durationMs) }) : null}
      </span>
    </>
  );
}
