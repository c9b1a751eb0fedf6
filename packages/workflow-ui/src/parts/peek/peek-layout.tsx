import type { ReactElement, ReactNode } from 'react';
import styles from './peek.module.css';

export interface PeekLayoutProps {
  /** What is shown beside the list; nothing gives it all the room. */
  readonly peek: ReactNode;
  readonly children: ReactNode;
}

/** A list with one of its rows beside it. */
export function PeekLayout({ peek, children }: PeekLayoutProps): ReactElement {
  return (
    <div className={styles.layout} data-peeks={peek !== null}>
      <div className={styles.list}>{children}</div>
      {peek}
    </div>
  );
}
