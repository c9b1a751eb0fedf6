import { Link } from '@tanstack/react-router';
import { QueryPanel } from '@weir/ui-kit/app';
import { Suspense, type ReactElement } from 'react';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { lazyPart } from '../../parts/lazy-part';
import { ScreenHeader } from '../../parts/screen-header';
import { RunTable } from '../run-list/run-table';
import { DayChart } from './day-chart';
import { DueDags } from './due-dags';
import { Failures } from './failures';
import { latestRunsSource } from './home-data';
import { useHomeMessages } from './home-messages';
import { ServerHealth } from './server-health';
import { StatusTiles } from './status-tiles';
import { useHour } from './use-hour';
import styles from './home.module.css';

// Only a new server needs it.
const Welcome = lazyPart(() => import('./welcome'), 'Welcome');

/** What is wrong, what runs, what comes next. */
export function HomeScreen(): ReactElement {
  const t = useHomeMessages();
  const lastHour = useHour();
  const scope = useWorkspaceScope();
  const runs = useLiveQuery(latestRunsSource(scope));
  const isEmpty = runs.data?.dagRuns.length === 0;
  // Nothing has run in the chosen workspace, but elsewhere.
  const isNew = isEmpty && scope.workspace === undefined;
  return (
    <>
      <ScreenHeader title={t('home.title')}>
        <ServerHealth />
      </ScreenHeader>
      <StatusTiles lastHour={lastHour} />
      {isNew ? (
        <Suspense>
          <Welcome />
        </Suspense>
      ) : (
        <DayChart lastHour={lastHour} />
      )}
      <div className={styles.columns}>
        {isNew ? null : <Failures />}
        <DueDags />
      </div>
      {isEmpty ? null : (
        <section aria-labelledby="latest-runs">
          <div className={styles.head}>
            <h2 id="latest-runs">{t('home.recent')}</h2>
            <Link to="/runs">{t('home.all')}</Link>
          </div>
          <QueryPanel query={runs}>{({ dagRuns }) => <RunTable runs={dagRuns} />}</QueryPanel>
        </section>
      )}
    </>
  );
}
