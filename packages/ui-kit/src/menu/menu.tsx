import type { ReactElement, ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import styles from './menu.module.css';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

/** Actions behind a button. */
export function Menu({ trigger, label, entries }: MenuProps): ReactElement {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ''}>
        <AriaMenu aria-label={label} className={styles.menu ?? ''}>
          {entries.map(({ id, label: name, icon, isDisabled = false, onSelect }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={name}
              isDisabled={isDisabled}
              onAction={onSelect}
              className={styles.item ?? ''}
            >
              {icon}
              {name}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
