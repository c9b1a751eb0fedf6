import { useQuery } from '@tanstack/react-query';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { useLiveQuery } from '../../../api/live-query';
import { callersQuery, historySource } from '../../../parts/dag/dag-data';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { CallLinks } from './call-links';
import { DagFacts } from './dag-facts';
import { Durations } from './durations';
import { LastRuns } from './last-runs';
import { NextFires } from './next-fires';
import { Permissions } from './permissions';
import { RunFigures } from './run-figures';
import styles from './overview.module.css';

export interface OverviewTabProps {
  readonly fileName: string;
  readonly details: Schemas['GetDAGDetailsResponse'];
}

/** A summary of a DAG: its settings, the results of its runs, and its next occurrences. */
export function OverviewTab({ fileName, details }: OverviewTabProps): ReactElement {
  const t = useDagMessages();
  const history = useLiveQuery(historySource(fileName));
  const callers = useQuery(callersQuery(fileName));
  return (
    <div className={styles.overview}>
      <div className={styles.main}>
        <section aria-labelledby="dag-runs" className={styles.section}>
          <h2 id="dag-runs">{t('dag.runs')}</h2>
          <QueryPanel query={history}>
            {({ dagRuns }) => (
              <>
                <RunFigures runs={dagRuns} />
                {dagRuns.length === 0 ? null : <Durations runs={dagRuns} />}
                <LastRuns runs={dagRuns} />
              </>
            )}
          </QueryPanel>
        </section>
      </div>
      <div className={styles.side}>
        <DagFacts details={details} />
        <NextFires fileName={fileName} schedule={details.dag?.schedule ?? []} isSuspended={details.suspended} />
        <section aria-labelledby="dag-calls" className={styles.section}>
          <h2 id="dag-calls">{t('dag.calls')}</h2>
          <QueryPanel query={callers}>
            {({ callers: found }) => <CallLinks callers={found} steps={details.dag?.steps ?? []} />}
          </QueryPanel>
        </section>
        <Permissions />
      </div>
    </div>
  );
}
