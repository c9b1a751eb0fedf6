import { Check, Minus } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { CheckboxButton, CheckboxField, type CheckboxFieldProps } from 'react-aria-components/Checkbox';
import { classNames } from '../class-names';
import styles from './checkbox.module.css';

interface CheckboxProps extends Omit<CheckboxFieldProps, 'className' | 'style' | 'children'> {
  /** Omit it where `aria-label` or the context names the box. */
  readonly children?: ReactNode;
}

/** A box that is on or off. */
export function Checkbox({ children, ...rest }: CheckboxProps): ReactElement {
  return (
    <CheckboxField {...rest} className={styles.field ?? ''}>
      <CheckboxButton className={classNames(styles.checkbox, children === undefined && styles.alone)}>
        {({ isSelected, isIndeterminate }) => (
          <>
            <span aria-hidden className={styles.box}>
              {isIndeterminate ? <Minus size={12} strokeWidth={3} /> : null}
              {isSelected && !isIndeterminate ? <Check size={12} strokeWidth={3} /> : null}
            </span>
            {children}
          </>
        )}
      </CheckboxButton>
    </CheckboxField>
  );
}
