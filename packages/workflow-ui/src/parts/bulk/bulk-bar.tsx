import { Button, IconButton } from '@weir/ui-kit';
import { X } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useBulkMessages } from './bulk-messages';
import styles from './bulk.module.css';

/** Ids of rows, or all objects that the filter selects, on every page. */
export type BulkSelection = ReadonlySet<string> | 'matching';

export interface BulkAction {
  readonly id: string;
  readonly label: string;
  readonly icon: ReactNode;
  /** The reason why it is not permitted. */
  readonly disabledReason: string | undefined;
  readonly onPress: () => void;
}

export interface BulkBarProps {
  readonly selection: BulkSelection;
  readonly onSelect: (selection: BulkSelection) => void;
  readonly actions: readonly BulkAction[];
}

/** The actions on the selected rows. Renders nothing without a selection. */
export function BulkBar({ selection, onSelect, actions }: BulkBarProps): ReactElement | null {
  const t = useBulkMessages();
  if (selection !== 'matching' && selection.size === 0) return null;
  return (
    <section aria-label={t('bulk.bar')} className={styles.bar}>
      <strong>{selection === 'matching' ? t('bulk.matching') : t('bulk.selected', { count: selection.size })}</strong>
      {selection === 'matching' ? null : (
        <Button variant="quiet" onPress={() => onSelect('matching')}>
          {t('bulk.selectMatching')}
        </Button>
      )}
      <span className={styles.actions}>
        {actions.map(({ id, label, icon, disabledReason, onPress }) => (
          <Button key={id} disabledReason={disabledReason} onPress={onPress}>
            {icon}
            {label}
          </Button>
        ))}
      </span>
      <IconButton icon={<X aria-hidden size={16} />} label={t('bulk.clear')} onPress={() => onSelect(new Set())} />
    </section>
  );
}
