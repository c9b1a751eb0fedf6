import { Button } from '@weir/ui-kit';
import { GitCompareArrows } from 'lucide-react';
import type { ReactElement } from 'react';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './history.module.css';

export interface ChosenPair {
  /** The newer run. */
  readonly run: string;
  readonly with: string;
}

export interface CompareBarProps {
  /** Ids of runs, oldest first. */
  readonly chosen: readonly string[];
  readonly onCompare: (pair: ChosenPair) => void;
}

/** Explains how runs are chosen, and compares two of them. */
export function CompareBar({ chosen: [older, newer], onCompare }: CompareBarProps): ReactElement {
  const t = useDagMessages();
  if (older === undefined || newer === undefined) {
    return <span className={styles.muted}>{t(older === undefined ? 'dag.compare.hint' : 'dag.compare.one')}</span>;
  }
  return (
    <Button variant="primary" onPress={() => onCompare({ run: newer, with: older })}>
      <GitCompareArrows aria-hidden size={16} />
      {t('dag.compare')}
    </Button>
  );
}
