import { History } from 'lucide-react';
import { useCallback, useMemo, type ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { StepGraph } from '../../../graph';
import { GraphToggle } from '../../../graph/graph-toggle';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import type { DagSearch } from '../../../parts/dag/dag-search';
import { StepPanel } from './step-panel';
import { toGraphSteps } from '../../../graph/to-graph-steps';
import styles from './graph-tab.module.css';

export interface GraphTabProps {
  readonly details: Schemas['GetDAGDetailsResponse'];
  readonly search: DagSearch;
  readonly onChange: (search: DagSearch) => void;
}

/** The steps of a DAG and their dependencies, with the statuses of its last run on request. */
export function GraphTab({ details, search, onChange }: GraphTabProps): ReactElement {
  const t = useDagMessages();
  const { dag, latestDAGRun } = details;
  const { step, statuses } = search;
  const showsLastRun = statuses === 'last';
  const steps = useMemo(
    () => toGraphSteps(dag?.steps ?? [], showsLastRun ? latestDAGRun.nodes : []),
    [dag, latestDAGRun, showsLastRun],
  );
  const onSelect = useCallback(
    (name: string | undefined): void => {
      const { step: _step, ...others } = search;
      onChange(name === undefined ? others : { ...others, step: name });
    },
    [search, onChange],
  );
  const showLastRun = (shows: boolean): void => {
    const { statuses: _statuses, ...others } = search;
    onChange(shows ? { ...others, statuses: 'last' } : others);
  };
  const selected = dag?.steps?.find(({ name }) => name === step);
  return (
    <div className={styles.tab}>
      <div className={styles.graph}>
        <StepGraph
          label={t('dag.graph', { name: dag?.name ?? '' })}
          {...(dag === undefined ? {} : { fileName: dag.name })}
          {...{ steps, onSelect }}
          selected={step}
        >
          {latestDAGRun.dagRunId === '' ? null : (
            <GraphToggle
              icon={History}
              label={t('dag.graph.lastRun')}
              isSelected={showsLastRun}
              onChange={showLastRun}
            />
          )}
        </StepGraph>
      </div>
      {selected === undefined ? null : <StepPanel step={selected} steps={dag?.steps ?? []} onSelect={onSelect} />}
    </div>
  );
}
