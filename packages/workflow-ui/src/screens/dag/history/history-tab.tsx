import { EmptyState } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useLiveQuery } from '../../../api/live-query';
import { Comparison } from '../comparison/comparison';
import { historySource } from '../../../parts/dag/dag-data';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import type { DagSearch } from '../../../parts/dag/dag-search';
import { HistoryGrid } from './history-grid';

export interface HistoryTabProps {
  readonly fileName: string;
  readonly search: DagSearch;
  readonly onChange: (search: DagSearch, replace?: boolean) => void;
}

/** The status of each step in each of the last hundred runs, or two of the runs side by side. */
export function HistoryTab({ fileName, search, onChange }: HistoryTabProps): ReactElement {
  const t = useDagMessages();
  const query = useLiveQuery(historySource(fileName));
  const { run: newer, with: older, ...others } = search;
  return (
    <QueryPanel query={query}>
      {(history) => {
        const [run] = history.dagRuns;
        if (run === undefined) return <EmptyState title={t('dag.runs.none')}>{t('dag.runs.none.text')}</EmptyState>;
        const { name } = run;
        if (newer !== undefined && older !== undefined)
          return <Comparison pair={{ name, newer, older }} onClose={() => onChange(others)} />;
        return <HistoryGrid history={history} onCompare={(pair) => onChange({ ...others, ...pair }, false)} />;
      }}
    </QueryPanel>
  );
}
