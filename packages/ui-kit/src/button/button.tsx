import type { ReactElement, ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classNames } from '../class-names';
import { Tooltip } from '../tooltip/tooltip';
import styles from './button.module.css';

interface Refusable {
  /** The reason why it cannot be pressed, shown on hover and on focus; the button is disabled while it is given. */
  readonly disabledReason?: string | undefined;
  /** The single key that presses it, where the page listens for keys. */
  readonly shortcut?: string | undefined;
}

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'>, Refusable {
  readonly children: ReactNode;
  /** `primary` for the one next action of a screen, `danger` for actions that cannot be undone. */
  readonly variant?: 'primary' | 'plain' | 'danger' | 'quiet';
}

/** A button with text. */
export function Button({ variant = 'plain', ...rest }: ButtonProps): ReactElement {
  return <ExplainedButton {...rest} className={classNames(styles.button, styles[variant])} />;
}

interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'aria-label'>, Refusable {
  readonly icon: ReactNode;
  /** Names the button for people who do not see its icon. */
  readonly label: string;
}

/** Styles a link like such a button, with only an icon. */
export const iconLinkClass = classNames(styles.button, styles.quiet, styles.icon);

/** A button with only an icon. */
export function IconButton({ icon, label, ...rest }: IconButtonProps): ReactElement {
  return (
    <ExplainedButton {...rest} aria-label={label} className={iconLinkClass}>
      {icon}
    </ExplainedButton>
  );
}

function ExplainedButton(props: AriaButtonProps & Refusable): ReactElement {
  const { disabledReason, isDisabled, shortcut, ...others } = props;
  // Such buttons take no other attribute for keys.
  const rest = shortcut === undefined ? others : { ...others, 'data-shortcut': shortcut };
  if (disabledReason === undefined) {
    return <AriaButton {...rest} {...(isDisabled === undefined ? {} : { isDisabled })} />;
  }
  // A disabled button takes no focus and could not show the reason; a pending one does. A pending button ignores the pointer, so
  // its tooltip appears only on focus.
  return (
    <span title={disabledReason}>
      <Tooltip text={disabledReason}>
        <AriaButton {...rest} isPending data-refused />
      </Tooltip>
    </span>
  );
}
