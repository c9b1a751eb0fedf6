import type { ReactElement, ReactNode } from 'react';
import { ToastPlace } from '../toast/toasts';
import styles from './frame.module.css';

/** The class of a link of the rail; the link of the shown page has `aria-current`. */
export const frameLink = styles.link ?? '';

interface FrameProps {
  readonly skipLabel: string;
  readonly navigationLabel: string;
  readonly top: ReactNode;
  /** Links of the class `frameLink`, each with an icon and a `span`. */
  readonly links: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: rail, top bar, content. The rail becomes narrow, and on a phone a bar at the bottom. */
export function Frame({ skipLabel, navigationLabel, top, links, children }: FrameProps): ReactElement {
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content" onClick={focusContent}>
        {skipLabel}
      </a>
      {top}
      <nav aria-label={navigationLabel} className={styles.rail}>
        {links}
      </nav>
      <main id="content" tabIndex={-1} className={styles.content}>
        {children}
      </main>
      <ToastPlace className={styles.toasts ?? ''} />
    </div>
  );
}

/** The base element would otherwise make the address that of another page. */
function focusContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
