import { useNavigate } from '@tanstack/react-router';
import { LogOut, Palette as PaletteIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from '@weir/ui-kit';
import { signOut } from '../../api/session';
import { changePreferences, themes } from '../preferences';
import { useAppMessages } from '../text/app-messages';
import { navigationEntries } from './navigation-entries';
import { useShellMessages } from './shell-messages';
import styles from './palette.module.css';

interface Command {
  readonly id: string;
  readonly name: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** Finds every page and action by its name. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useShellMessages();
  const commands = useCommands();
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
          <Autocomplete filter={contains}>
            <SearchField autoFocus aria-label={t('shell.palette')} placeholder={t('shell.palette.placeholder')} />
            <Menu
              aria-label={t('shell.palette')}
              items={commands}
              renderEmptyState={() => <p className={styles.empty}>{t('shell.palette.empty')}</p>}
              className={styles.menu ?? ''}
            >
              {({ id, name, icon, run }) => (
                <MenuItem
                  id={id}
                  textValue={name}
                  className={styles.item ?? ''}
                  onAction={() => {
                    onClose();
                    run();
                  }}
                >
                  {icon}
                  {name}
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function useCommands(): readonly Command[] {
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
    {
      id: 'sign-out',
      name: t('shell.palette.signOut'),
      icon: <LogOut aria-hidden size={16} />,
      run: () => void signOut(),
    },
  ];
}
