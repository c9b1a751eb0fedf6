import type { ReactElement, ReactNode } from 'react';
import { SwitchButton, SwitchField, type SwitchFieldProps } from 'react-aria-components/Switch';
import styles from './checkbox.module.css';

interface SwitchProps extends Omit<SwitchFieldProps, 'className' | 'style' | 'children'> {
  readonly children: ReactNode;
}

/** A setting that is switched on or off at once. */
export function Switch({ children, ...rest }: SwitchProps): ReactElement {
  return (
    <SwitchField {...rest} className={styles.field ?? ''}>
      <SwitchButton className={styles.checkbox ?? ''}>
        <span aria-hidden className={styles.track}>
          <span className={styles.knob} />
        </span>
        {children}
      </SwitchButton>
    </SwitchField>
  );
}
