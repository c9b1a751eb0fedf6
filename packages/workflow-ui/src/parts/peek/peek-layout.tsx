import type { ReactElement, ReactNode } from 'react';
import styles from './peek.module.css';

export interface PeekLayoutProps {
  /** The content beside the list; without any, the list gets the whole width. */
  readonly peek: ReactNode;
  readonly children: ReactNode;
}

/** A list with the details of one row beside it. */
export function PeekLayout({ peek, children }: PeekLayoutProps): ReactElement {
  return (
    <div className={styles.layout} data-peeks={peek !== null}>
      <div className={styles.list}>{children}</div>
      {peek}
    </div>
  );
}
