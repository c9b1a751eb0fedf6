import { useId, type ReactElement, type ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  readonly title: string;
  readonly description?: string | undefined;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a screen with several parts. */
export function Panel({ title, description, actions, children }: PanelProps): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.panel}>
      <header className={styles.header}>
        <h2 id={id}>{title}</h2>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
        {description === undefined ? null : <p className={styles.description}>{description}</p>}
      </header>
      {children}
    </section>
  );
}
