import { SelectField } from '@weir/ui-kit';
import { FilterField } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { auditCategories, auditPeriods, auditResults } from './audit-filters';
import { useAuditMessages } from './audit-messages';
import type { AuditSearch } from './search';

type Filters = Pick<AuditSearch, 'q' | 'category' | 'result' | 'since'>;

export interface AuditFilterFieldsProps {
  readonly filters: Filters;
  /** With `replace`, typed text replaces the last entry of the browser's history. */
  readonly onChange: (filters: Filters, replace?: boolean) => void;
}

export function AuditFilterFields({ filters, onChange }: AuditFilterFieldsProps): ReactElement {
  const t = useAuditMessages();
  const set = <Name extends keyof Filters>(name: Name, value: Filters[Name] | '', replace = false): void => {
    const { [name]: _old, ...rest } = filters;
    onChange(value === '' ? rest : { ...rest, [name]: value }, replace);
  };
  return (
    <>
      <SelectField
        label={t('audit.category')}
        isLabelHidden
        value={filters.category ?? ''}
        options={[
          { value: '', label: t('audit.category.all') },
          ...auditCategories.map((value) => ({ value, label: t(`audit.category.${value}`) })),
        ]}
        onChange={(category) => set('category', category)}
      />
      <SelectField
        label={t('audit.result')}
        isLabelHidden
        value={filters.result ?? ''}
        options={[
          { value: '', label: t('audit.result.all') },
          ...auditResults.map((value) => ({ value, label: t(`audit.result.${value}`) })),
        ]}
        onChange={(result) => set('result', result)}
      />
      <SelectField
        label={t('audit.since')}
        isLabelHidden
        value={filters.since ?? ''}
        options={[
          { value: '', label: t('audit.since.ever') },
          ...auditPeriods.map((value) => ({ value, label: t(`audit.since.${value}`) })),
        ]}
        onChange={(since) => set('since', since)}
      />
      <FilterField
        label={t('audit.filter')}
        placeholder={t('audit.filter.example')}
        value={filters.q ?? ''}
        onChange={(q) => set('q', q, true)}
      />
    </>
  );
}
