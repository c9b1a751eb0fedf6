import { classNames } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useRunMessages } from '../../../parts/run/run-messages';
import type { BarKind } from './bars';
import styles from './timeline.module.css';

const kinds: readonly BarKind[] = ['wait', 'run', 'gap', 'person'];

/** What the parts of the bars mean. */
export function TimelineLegend(): ReactElement {
  const t = useRunMessages();
  return (
    <ul className={styles.legend}>
      {kinds.map((kind) => (
        <li key={kind}>
          <span aria-hidden className={classNames(styles.bar, styles.sample, styles[kind])} data-tone="success" />
          {t(`run.bar.${kind}`)}
        </li>
      ))}
    </ul>
  );
}
