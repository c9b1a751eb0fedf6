import { Dialog } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useAppMessages } from '../text/app-messages';
import { navigationEntries } from './navigation-entries';
import { useShellMessages } from './shell-messages';
import styles from './shortcut-help.module.css';

/** The list of the keys. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useShellMessages();
  const app = useAppMessages();
  const rows: readonly (readonly [string, string])[] = [
    ['Ctrl K', t('shell.shortcuts.palette')],
    ['/', t('shell.shortcuts.filter')],
    ['?', t('shell.shortcuts.help')],
    ['Esc', t('shell.shortcuts.escape')],
    ...navigationEntries.map(({ key, text }) => [`g ${key}`, t('shell.palette.go', { name: t(text) })] as const),
  ];
  return (
    <Dialog title={t('shell.shortcuts')} isOpen onClose={onClose} closeLabel={app('app.close')}>
      <dl className={styles.list}>
        {rows.map(([keys, meaning]) => (
          <div key={keys} className={styles.row}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
