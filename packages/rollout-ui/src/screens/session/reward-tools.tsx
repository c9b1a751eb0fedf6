import { SelectField, ToggleButton } from '@weir/ui-kit';
import { useEffect, useState, type ReactElement } from 'react';
import { discountRules, exportStyles } from '../../api/reward-choices';
import { toChoices, type SessionSearch } from './search';
import { useSessionMessages } from './session-messages';
import styles from './session.module.css';

export interface RewardToolsProps {
  readonly search: SessionSearch;
  readonly onChange: (changes: SessionSearch) => void;
}

const settleMs = 120;

/** What an export would be made with; the views below follow. */
export function RewardTools({ search, onChange }: RewardToolsProps): ReactElement {
  const t = useSessionMessages();
  const { rule, style, drop } = toChoices(search);
  return (
    <div className={styles.tools}>
      <Discount discount={toChoices(search).discount} onChange={(discount) => onChange({ discount })} />
      <SelectField
        label={t('session.rule')}
        value={rule}
        options={discountRules.map((value) => ({ value, label: t(`session.rule.${value}`) }))}
        onChange={(value) => onChange({ rule: value })}
      />
      {search.view === 'rows' ? (
        <SelectField
          label={t('session.style')}
          value={style}
          options={exportStyles.map((value) => ({ value, label: t(`session.style.${value}`) }))}
          onChange={(value) => onChange({ style: value })}
        />
      ) : null}
      <ToggleButton
        isSelected={drop}
        // The address has no word for no.
        onChange={(isSelected) => onChange({ drop: isSelected ? 'yes' : undefined } as SessionSearch)}
      >
        {t('session.drop')}
      </ToggleButton>
    </div>
  );
}

interface DiscountProps {
  readonly discount: number;
  readonly onChange: (discount: number) => void;
}

function Discount({ discount, onChange }: DiscountProps): ReactElement {
  const t = useSessionMessages();
  const [value, setValue] = useState(discount);
  useEffect(() => setValue(discount), [discount]);
  useEffect(() => {
    if (value === discount) return undefined;
    const timer = setTimeout(() => onChange(value), settleMs);
    return () => clearTimeout(timer);
  }, [value, discount, onChange]);
  return (
    <label className={styles.range}>
      <span>
        {t('session.discount')} {value.toFixed(2)}
      </span>
      <input
        type="range"
        min="0"
        max="1"
        step="0.01"
        value={value}
        onChange={(event) => setValue(Number(event.target.value))}
      />
    </label>
  );
}
