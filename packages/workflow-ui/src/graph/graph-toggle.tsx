import { ToggleButton, Tooltip } from '@weir/ui-kit';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import styles from './graph.module.css';

export interface GraphToggleProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A switch among the tools of a graph. In a narrow space only its icon is shown, with the label as its tooltip. */
export function GraphToggle({ icon: Icon, label, isSelected, onChange }: GraphToggleProps): ReactElement {
  return (
    <Tooltip text={label}>
      <ToggleButton isSelected={isSelected} onChange={onChange}>
        <Icon aria-hidden size={16} />
        <span className={styles.label}>{label}</span>
      </ToggleButton>
    </Tooltip>
  );
}
