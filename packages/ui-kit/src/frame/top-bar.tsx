import type { ReactElement, ReactNode } from 'react';
import styles from './top-bar.module.css';

/** Classes for the content of the bar: the brand, and texts that a narrow bar omits or cuts. */
export const topBarClasses = {
  brand: styles.brand ?? '',
  wide: styles.wide ?? '',
  user: styles.user ?? '',
} as const;

interface TopBarProps {
  readonly children: ReactNode;
  /** The content at the right. */
  readonly end: ReactNode;
}

/** The bar above rail and content. */
export function TopBar({ children, end }: TopBarProps): ReactElement {
  return (
    <header className={styles.bar}>
      {children}
      <div className={styles.end}>{end}</div>
    </header>
  );
}
