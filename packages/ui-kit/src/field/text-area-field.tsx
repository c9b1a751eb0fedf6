import type { ReactElement } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { classNames } from '../class-names';
import styles from './field.module.css';
import type { TextFieldProps } from './text-field';

interface TextAreaFieldProps extends TextFieldProps {
  readonly rows?: number;
  /** Whether the font suits code and data. */
  readonly isMonospaced?: boolean;
}

/** A labelled text of several lines. */
export function TextAreaField(props: TextAreaFieldProps): ReactElement {
  const { label, description, error, rows = 4, isMonospaced = false, ...rest } = props;
  return (
    <AriaTextField {...rest} isInvalid={error !== undefined} className={styles.field ?? ''}>
      <Label className={styles.label}>{label}</Label>
      <TextArea rows={rows} className={classNames(styles.input, styles.area, isMonospaced && styles.mono)} />
      {description === undefined ? null : (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  );
}
