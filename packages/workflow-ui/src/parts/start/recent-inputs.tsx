import { useQuery } from '@tanstack/react-query';
import { SelectField } from '@weir/ui-kit';
import { useTimeFormat, unwrap, type Failure } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useStartMessages } from './start-messages';

export interface RecentInputsProps {
  readonly fileName: string;
  /** Uses the values of an earlier run; without any, the defaults. */
  readonly onChoose: (given: Readonly<Record<string, unknown>>) => void;
}

const shown = 5;

/** Fills the form with the inputs of an earlier run. Renders nothing without earlier runs. */
export function RecentInputs({ fileName, onChoose }: RecentInputsProps): ReactElement | null {
  const t = useStartMessages();
  const format = useTimeFormat();
  const [chosen, setChosen] = useState('');
  const { data } = useQuery<Schemas['RecentParamsResponse'], Failure>({
    queryKey: ['recent-params', fileName],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dags/{fileName}/recent-params', { params: { path: { fileName } }, signal })),
  });
  // The form leaves out inputs such as `name=value`, which only the command line uses.
  const recent = (data?.recent ?? []).flatMap((entry) => {
    const values = parseValues(entry.params);
    return values === undefined ? [] : [{ ...entry, values }];
  });
  if (recent.length === 0) return null;
  return (
    <SelectField
      label={t('start.recent')}
      value={chosen}
      options={[
        { value: '', label: t('start.recent.defaults') },
        ...recent.slice(0, shown).map(({ dagRunId, createdAt, params }) => ({
          value: dagRunId,
          label: `${format.short(new Date(createdAt))} ${params}`,
        })),
      ]}
      onChange={(id) => {
        setChosen(id);
        onChoose(recent.find(({ dagRunId }) => dagRunId === id)?.values ?? {});
      }}
    />
  );
}

function parseValues(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
