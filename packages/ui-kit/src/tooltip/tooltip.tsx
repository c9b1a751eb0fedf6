import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import styles from './tooltip.module.css';

interface TooltipProps {
  readonly text: string;
  /** The control that it explains, which must be focusable. */
  readonly children: ReactElement;
}

/** A sentence about a control, shown on hover and on focus. */
export function Tooltip({ text, children }: TooltipProps): ReactElement {
  return (
    <TooltipTrigger delay={400}>
      {children}
      <AriaTooltip offset={6} className={styles.tooltip ?? ''}>
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
