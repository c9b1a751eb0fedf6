import type { ReactElement } from 'react';
import styles from './mark.module.css';

/** The mark of the product: three waves. */
export function Mark(): ReactElement {
  return (
    <svg aria-hidden viewBox="0 0 22 18" width="22" height="18" className={styles.mark}>
      {[3, 9, 15].map((y) => (
        <path key={y} d={`M1 ${y}c3.4-2.6 6.6-2.6 10 0s6.6 2.6 10 0`} />
      ))}
    </svg>
  );
}
