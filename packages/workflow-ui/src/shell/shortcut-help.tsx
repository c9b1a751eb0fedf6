import { Dialog } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useAppMessages } from '../parts/text/app-messages';
import { navigationEntries } from './navigation-entries';
import { useShellMessages } from './shell-messages';
import messages from './shortcut-messages.json';
import styles from './shortcut-help.module.css';

const useShortcutMessages = defineMessages(messages);

/** The list of the keys. */
export function ShortcutHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useShellMessages();
  const shortcut = useShortcutMessages();
  const app = useAppMessages();
  const rows: readonly (readonly [string, string])[] = [
    ['Ctrl K', shortcut('shell.shortcuts.palette')],
    ['/', shortcut('shell.shortcuts.filter')],
    ['?', shortcut('shell.shortcuts.help')],
    ['Esc', shortcut('shell.shortcuts.escape')],
    ['j k', shortcut('shell.shortcuts.rows')],
    ['o', shortcut('shell.shortcuts.look')],
    ['x', shortcut('shell.shortcuts.select')],
    ['s', shortcut('shell.shortcuts.start')],
    ['r', shortcut('shell.shortcuts.retry')],
    ['l', shortcut('shell.shortcuts.log')],
    ['e', shortcut('shell.shortcuts.edit')],
    ['[ ]', shortcut('shell.shortcuts.runs')],
    ['f', shortcut('shell.shortcuts.follow')],
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
