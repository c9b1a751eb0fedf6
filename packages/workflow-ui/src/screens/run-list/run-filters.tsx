import { SelectField, type SelectOption } from '@weir/ui-kit';
import { FilterField } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useAppMessages } from '../../parts/text/app-messages';
import { formatTerms, parseTerms, valuesOf, withValues } from '../../parts/query-text/query-terms';
import { runStatuses, type RunStatusLabel } from '../../parts/run-statuses';
import { SavedViews } from '../../parts/saved-views/saved-views';
import { useRunListMessages } from './run-list-messages';

export interface RunFiltersProps {
  readonly q: string;
  /** With `replace`, typed text replaces the last entry of the browser's history. */
  readonly onChange: (q: string, replace?: boolean) => void;
}

/** The query text, with lists for the most frequent choices, which write it. */
export function RunFilters({ q, onChange }: RunFiltersProps): ReactElement {
  const t = useRunListMessages();
  return (
    <>
      <StatusFilter q={q} onChange={onChange} />
      <TimeFilter q={q} onChange={onChange} />
      <FilterField
        label={t('runs.filter')}
        placeholder={t('runs.filter.example')}
        value={q}
        onChange={(text) => onChange(text, true)}
      />
      <SavedViews list="/runs" />
    </>
  );
}

function StatusFilter({ q, onChange }: RunFiltersProps): ReactElement {
  const t = useRunListMessages();
  const app = useAppMessages();
  const chosen = valuesOf(q, 'status');
  const [only] = chosen;
  const options: readonly SelectOption<RunStatusLabel | 'all' | 'several'>[] = [
    { value: 'all', label: t('runs.status.all') },
    ...(chosen.length > 1 ? [{ value: 'several' as const, label: t('runs.status.several') }] : []),
    ...runStatuses.map((value) => ({ value, label: app(`app.status.${value}`) })),
  ];
  return (
    <SelectField
      label={t('runs.status')}
      isLabelHidden
      value={chosen.length > 1 ? 'several' : (runStatuses.find((status) => status === only) ?? 'all')}
      options={options}
      onChange={(value) => {
        if (value !== 'several') onChange(withValues(q, 'status', value === 'all' ? [] : [value]));
      }}
    />
  );
}

const times = ['24h', '7d', '30d', 'ever'] as const;
const timeKeys: ReadonlySet<string> = new Set(['since', 'from', 'to']);

function TimeFilter({ q, onChange }: RunFiltersProps): ReactElement {
  const t = useRunListMessages();
  const written = parseTerms(q).filter(({ key }) => timeKeys.has(key));
  const [first] = written;
  const known = written.length === 1 ? times.find((time) => first?.key === 'since' && first.value === time) : undefined;
  const value = written.length === 0 ? 'today' : (known ?? 'other');
  const options: readonly SelectOption<(typeof times)[number] | 'today' | 'other'>[] = [
    { value: 'today', label: t('runs.time.today') },
    ...times.map((time) => ({ value: time, label: t(`runs.time.${time}`) })),
    ...(value === 'other' ? [{ value, label: t('runs.time.other') } as const] : []),
  ];
  return (
    <SelectField
      label={t('runs.time')}
      isLabelHidden
      value={value}
      options={options}
      onChange={(next) => {
        if (next === 'other') return;
        const rest = formatTerms(parseTerms(q).filter(({ key }) => !timeKeys.has(key)));
        onChange(next === 'today' ? rest : withValues(rest, 'since', [next]));
      }}
    />
  );
}
