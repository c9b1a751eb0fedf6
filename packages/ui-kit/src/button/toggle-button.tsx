import type { ReactElement, ReactNode } from 'react';
import {
  ToggleButton as AriaToggleButton,
  type ToggleButtonProps as AriaToggleButtonProps,
} from 'react-aria-components/ToggleButton';
import { classNames } from '../class-names';
import styles from './button.module.css';

interface ToggleButtonProps extends Omit<AriaToggleButtonProps, 'className' | 'style' | 'children'> {
  readonly children: ReactNode;
}

/** A button that stays pressed until it is pressed again. */
export function ToggleButton(props: ToggleButtonProps): ReactElement {
  return <AriaToggleButton {...props} className={classNames(styles.button, styles.toggle)} />;
}
