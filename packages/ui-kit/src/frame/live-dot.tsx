import type { ReactElement } from 'react';
import styles from './live-dot.module.css';

interface LiveDotProps {
  readonly state: 'connecting' | 'live' | 'retrying';
  readonly label: string;
}

/** Shows whether the page follows the server, by a shape and in words. */
export function LiveDot({ state, label }: LiveDotProps): ReactElement {
  return (
    <span role="status" className={styles.live} data-state={state}>
      <span aria-hidden className={styles.dot} />
      <span className={styles.text}>{label}</span>
    </span>
  );
}
