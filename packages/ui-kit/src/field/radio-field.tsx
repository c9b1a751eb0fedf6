import type { ReactElement } from 'react';
import { Label } from 'react-aria-components/Label';
import { RadioField as AriaRadioField, RadioButton, RadioGroup } from 'react-aria-components/RadioGroup';
import styles from './field.module.css';

interface RadioOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Explains the value, or why it cannot be chosen. */
  readonly description?: string | undefined;
  readonly isDisabled?: boolean;
}

interface RadioFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly RadioOption<Value>[];
  readonly onChange: (value: Value) => void;
}

/** A choice of one of a few values, which are all shown. */
export function RadioField<Value extends string>(props: RadioFieldProps<Value>): ReactElement {
  const { label, value, options, onChange } = props;
  return (
    <RadioGroup
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      className={styles.field ?? ''}
    >
      <Label className={styles.label}>{label}</Label>
      {options.map((option) => (
        <AriaRadioField key={option.value} value={option.value} isDisabled={option.isDisabled === true}>
          <RadioButton className={styles.check ?? ''}>
            <span aria-hidden className={styles.dot} />
            <span>
              {option.label}
              {option.description === undefined ? null : <span className={styles.checkText}>{option.description}</span>}
            </span>
          </RadioButton>
        </AriaRadioField>
      ))}
    </RadioGroup>
  );
}
