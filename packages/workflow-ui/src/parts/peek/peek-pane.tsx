import { IconButton } from '@weir/ui-kit';
import { X } from 'lucide-react';
import { useEffect, type ReactElement, type ReactNode } from 'react';
import { useAppMessages } from '../text/app-messages';
import styles from './peek.module.css';

export interface PeekPaneProps {
  readonly label: string;
  /** The link to the full page of the object. */
  readonly open: ReactNode;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Elements over the page that Escape closes. */
const windows = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** The details of a row beside its list. Escape closes them where no window is over the page. */
export function PeekPane({ label, open, children, onClose }: PeekPaneProps): ReactElement {
  const app = useAppMessages();
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector(windows) === null) onClose();
    };
    // The listener comes before the list, which handles the key itself while one of its cells has the focus.
    document.addEventListener('keydown', close, { capture: true });
    return () => document.removeEventListener('keydown', close, { capture: true });
  });
  return (
    <aside aria-label={label} className={styles.pane}>
      <header className={styles.head}>
        <h2>{label}</h2>
        <span className={styles.open}>{open}</span>
        <IconButton icon={<X aria-hidden size={16} />} label={app('app.close')} onPress={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
    </aside>
  );
}
