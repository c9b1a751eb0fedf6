import { Check } from 'lucide-react';
import type { ReactElement } from 'react';
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox';
import styles from './field.module.css';

interface CheckFieldProps {
  readonly label: string;
  readonly description?: string | undefined;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

/** A field for yes or no. */
export function CheckField({ label, description, ...rest }: CheckFieldProps): ReactElement {
  return (
    <CheckboxField {...rest}>
      <CheckboxButton className={styles.check ?? ''}>
        <span aria-hidden className={styles.box}>
          <Check size={12} strokeWidth={3} />
        </span>
        <span>
          {label}
          {description === undefined ? null : <span className={styles.checkText}>{description}</span>}
        </span>
      </CheckboxButton>
    </CheckboxField>
  );
}
