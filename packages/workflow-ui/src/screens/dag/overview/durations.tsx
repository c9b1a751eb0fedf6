import { useEffect, useState, type ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { DurationChart, type ChartLibrary } from './duration-chart';
import { durationOf } from '../../../parts/run/run-statistics';
import styles from './overview.module.css';

/** The durations of the runs as a chart, which the table of the last runs has as numbers. */
export function Durations({ runs }: { readonly runs: readonly Schemas['DAGRunDetails'][] }): ReactElement | null {
  const t = useDagMessages();
  const library = useChartLibrary();
  if (library === 'failed') return null;
  return (
    <div className={styles.durations}>
      <h3>{t('dag.durations')}</h3>
      <DurationChart runs={runs.filter((run) => durationOf(run) !== undefined)} library={library} />
    </div>
  );
}

/** The library reads the language of the browser when it is loaded, and fails where that is not valid. */
function useChartLibrary(): ChartLibrary | 'loading' | 'failed' {
  const [library, setLibrary] = useState<ChartLibrary | 'loading' | 'failed'>('loading');
  useEffect(() => {
    let isGone = false;
    import('uplot').then(
      ({ default: uPlot }) => isGone || setLibrary(() => uPlot),
      () => isGone || setLibrary('failed'),
    );
    return () => {
      isGone = true;
    };
  }, []);
  return library;
}
