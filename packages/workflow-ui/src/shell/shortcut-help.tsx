import { Dialog } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
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
    ['j k', t('shell.shortcuts.rows')],
    ['o', t('shell.shortcuts.look')],
    ['x', t('shell.shortcuts.select')],
    ['s', t('shell.shortcuts.start')],
    ['r', t('shell.shortcuts.retry')],
    ['l', t('shell.shortcuts.log')],
    ['e', t('shell.shortcuts.edit')],
    ['[ ]', t('shell.shortcuts.runs')],
    ['f', t('shell.shortcuts.follow')],
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
