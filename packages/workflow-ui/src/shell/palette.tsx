import { useNavigate } from '@tanstack/react-router';
import { SearchField } from '@weir/ui-kit';
import { changePreferences, themes } from '@weir/ui-kit/app';
import { Keyboard, LogOut, MousePointerClick, Palette as PaletteIcon } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { signOut } from '../api/session';
import { useAppMessages } from '../parts/text/app-messages';
import { navigationEntries } from './navigation-entries';
import { listPageActions } from './page-actions';
import type { PaletteCommand } from './palette-command';
import { useShellMessages } from './shell-messages';
import { useFoundCommands, type StartTarget } from './use-found-commands';
import styles from './palette.module.css';

export interface PaletteProps {
  readonly onClose: () => void;
  readonly onStart: (target: StartTarget) => void;
  readonly onHelp: () => void;
}

/** Finds actions of the page, DAGs, runs, pages and settings by name. */
export function Palette({ onClose, onStart, onHelp }: PaletteProps): ReactElement {
  const t = useShellMessages();
  const [text, setText] = useState('');
  const found = useFoundCommands(text, onStart);
  const commands = [...found, ...usePageCommands(), ...useFixedCommands(onHelp)];
  const { contains } = useFilter({ sensitivity: 'base' });
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      className={styles.scrim ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={t('shell.palette')} className={styles.dialog ?? ''}>
          <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
            <SearchField autoFocus aria-label={t('shell.palette')} placeholder={t('shell.palette.placeholder')} />
            <Menu
              aria-label={t('shell.palette')}
              items={commands}
              disabledKeys={commands.flatMap(({ id, refusal }) => (refusal === undefined ? [] : [id]))}
              renderEmptyState={() => <p className={styles.empty}>{t('shell.palette.empty')}</p>}
              className={styles.menu ?? ''}
            >
              {(command) => <CommandItem command={command} onClose={onClose} />}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface CommandItemProps {
  readonly command: PaletteCommand;
  readonly onClose: () => void;
}

function CommandItem({ command: { id, name, icon, refusal, run }, onClose }: CommandItemProps): ReactElement {
  const onAction = (): void => {
    onClose();
    run();
  };
  return (
    <MenuItem id={id} textValue={name} className={styles.item ?? ''} onAction={onAction}>
      {icon}
      <span>{name}</span>
      {refusal === undefined ? null : <span className={styles.refusal}>{refusal}</span>}
    </MenuItem>
  );
}

/** Returns the actions of the page as it was when the palette opened. */
function usePageCommands(): readonly PaletteCommand[] {
  const [actions] = useState(listPageActions);
  return actions.map(({ name, refusal, press }) => ({
    id: `here ${name}`,
    name,
    icon: <MousePointerClick aria-hidden size={16} />,
    refusal,
    run: press,
  }));
}

function useFixedCommands(onHelp: () => void): readonly PaletteCommand[] {
  const t = useShellMessages();
  const app = useAppMessages();
  const navigate = useNavigate();
  return [
    ...navigationEntries.map(({ to, text, icon: Icon }) => ({
      id: to,
      name: t('shell.palette.go', { name: t(text) }),
      icon: <Icon aria-hidden size={16} />,
      run: () => void navigate({ to }),
    })),
    ...themes.map((theme) => ({
      id: theme,
      name: app('app.theme', { name: app(`app.theme.${theme}`) }),
      icon: <PaletteIcon aria-hidden size={16} />,
      run: () => changePreferences({ theme }),
    })),
    { id: 'help', name: t('shell.shortcuts'), icon: <Keyboard aria-hidden size={16} />, run: onHelp },
    {
      id: 'sign-out',
      name: t('shell.palette.signOut'),
      icon: <LogOut aria-hidden size={16} />,
      run: () => void signOut(),
    },
  ];
}
