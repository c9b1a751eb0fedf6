import { formatDuration, Time } from '@weir/ui-kit/app';
import { useEffect, useState, type ReactElement } from 'react';
import { ToggleButton } from '@weir/ui-kit';
import type { Schemas } from '../../../api/client';
import { RunStatus } from '../../../parts/run-status';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { DurationChart, type ChartLibrary } from './duration-chart';
import { durationOf } from '../../../parts/run/run-statistics';
import styles from './overview.module.css';

type Run = Schemas['DAGRunDetails'];

/** The durations of the runs, as a chart or as a table. */
export function Durations({ runs }: { readonly runs: readonly Run[] }): ReactElement {
  const t = useDagMessages();
  const [isTable, setIsTable] = useState(false);
  const library = useChartLibrary();
  const ended = runs.filter((run) => durationOf(run) !== undefined);
  return (
    <div className={styles.durations}>
      <div className={styles.durationsHead}>
        <h3>{t('dag.durations')}</h3>
        <ToggleButton
          isSelected={isTable || library === 'failed'}
          isDisabled={library === 'failed'}
          onChange={setIsTable}
        >
          {t('dag.durations.table')}
        </ToggleButton>
      </div>
      {isTable || library === 'failed' ? (
        <DurationTable runs={ended} />
      ) : (
        <DurationChart runs={ended} library={library} />
      )}
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

function DurationTable({ runs }: { readonly runs: readonly Run[] }): ReactElement {
  const t = useDagMessages();
  return (
    <div tabIndex={0} role="region" aria-label={t('dag.durations')} className={styles.durationTable}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('dag.runs.started')}</th>
            <th scope="col">{t('dag.runs.status')}</th>
            <th scope="col">{t('dag.runs.duration')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.dagRunId}>
              <td>
                <Time value={run.startedAt} />
              </td>
              <td>
                <RunStatus status={run.statusLabel} />
              </td>
              <td>{formatDuration(durationOf(run) ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
