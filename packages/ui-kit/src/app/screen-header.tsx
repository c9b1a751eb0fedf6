import type { ReactElement, ReactNode } from 'react';
import styles from './screen-header.module.css';

interface ScreenHeaderProps {
  readonly title: string;
  /** A note beside the title, such as a count. */
  readonly note?: string | undefined;
  /** A prefix for the title of the window, such as the number of waiting tasks. */
  readonly windowPrefix?: string | undefined;
  /** Filters and actions. */
  readonly children?: ReactNode;
}

/** The head of a screen; it also names the page in the title of the window. */
export function ScreenHeader({ title, note, windowPrefix = '', children }: ScreenHeaderProps): ReactElement {
  return (
    <header className={styles.header}>
      <title>{`${windowPrefix}${title} · Weir`}</title>
      <h1>{title}</h1>
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
      <div className={styles.tools}>{children}</div>
    </header>
  );
}
