import { ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select, SelectValue } from 'react-aria-components/Select';
import overlay from '../menu/menu.module.css';
import styles from './field.module.css';

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly isDisabled?: boolean;
  /** The label is spoken, but not shown. */
  readonly isLabelHidden?: boolean;
}

/** A choice of one of a few values. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>): ReactElement {
  const { label, value, options, onChange, isDisabled = false, isLabelHidden = false } = props;
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      value={value}
      isDisabled={isDisabled}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className={styles.field ?? ''}
    >
      {isLabelHidden ? null : <Label className={styles.label}>{label}</Label>}
      <Button className={styles.selectButton ?? ''}>
        <SelectValue />
        <ChevronDown aria-hidden size={14} />
      </Button>
      <Popover className={overlay.popover ?? ''}>
        <ListBox className={overlay.menu ?? ''}>
          {options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} className={overlay.item ?? ''}>
              {option.label}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
