import { EmptyState, Segments, SplitPane } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useIsNarrow } from '../../parts/use-is-narrow';
import type { RunAddress } from '../../parts/run/run-address';
import { isActive, type Run } from '../../parts/run/run-data';
import { useRunMessages } from '../../parts/run/run-messages';
import { stepViews, type RunSearch } from './search';
import type { StepRow } from '../../parts/run/step-rows';
import { StepGraphView } from './step-graph-view';
import { StepTable } from './step-table';
import { StepPanel } from './step/step-panel';
import { Timeline } from './timeline/timeline';
import { WhyPanel } from './why/why-panel';
import styles from './steps-tab.module.css';

export interface StepsTabProps {
  readonly address: RunAddress;
  readonly run: Run;
  readonly version: number;
  readonly rows: readonly StepRow[];
  /** The selected one. */
  readonly row: StepRow | undefined;
  readonly search: RunSearch;
  readonly show: (changes: RunSearch) => void;
}

/** The steps in one of several views, with the selected one beside them. */
export function StepsTab({ address, run, version, rows, row, search, show }: StepsTabProps): ReactElement {
  const t = useRunMessages();
  const isNarrow = useIsNarrow();
  const { view = isNarrow ? 'table' : 'graph' } = search;
  const onSelect = (id: string): void => show({ step: id });
  const views = { rows, selected: row?.id, onSelect };
  const steps = (
    <div className={styles.views}>
      <div className={styles.switch}>
        <Segments
          label={t('run.views')}
          value={view}
          segments={stepViews.map((value) => ({ value, label: t(`run.view.${value}`) }))}
          onChange={(value) => show({ view: value })}
        />
      </div>
      <div className={styles.view}>
        {view === 'graph' ? <StepGraphView fileName={`${run.name}-${run.dagRunId}`} {...views} /> : null}
        {view === 'timeline' ? <Timeline {...{ address, run, version }} {...views} /> : null}
        {view === 'table' ? <StepTable {...views} /> : null}
      </div>
    </div>
  );
  const panel =
    row === undefined ? (
      <div className={styles.none}>
        {isActive(run) ? <WhyPanel {...{ address, version, onSelect }} /> : null}
        <EmptyState title={t('run.noStep.title')}>{t('run.noStep.text')}</EmptyState>
      </div>
    ) : (
      <StepPanel {...{ address, run, row, onSelect, version }} />
    );
  // Where the parts are stacked, the most important one comes first.
  return (
    <SplitPane
      label={t('run.divider')}
      initialShare={54}
      first={isNarrow ? panel : steps}
      second={isNarrow ? steps : panel}
    />
  );
}
