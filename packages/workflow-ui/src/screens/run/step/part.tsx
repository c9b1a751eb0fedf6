import type { ReactElement, ReactNode } from 'react';
import styles from './step-panel.module.css';

/** A titled part of the panel. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className={styles.part}>
      <h3 className={styles.partTitle}>{title}</h3>
      {children}
    </div>
  );
}
