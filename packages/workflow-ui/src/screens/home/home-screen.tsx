import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StatusName } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import { Suspense, useEffect, useState, type ReactElement } from 'react';
import { healthQuery } from '../../api/health';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { lazyPart } from '../../parts/lazy-part';
import { ScreenHeader } from '../../parts/screen-header';
import { RunTable } from '../../parts/run-table/run-table';
import { DayChart } from './day-chart';
import { DueDags } from './due-dags';
import { Failures } from './failures';
import { latestRunsSource } from './home-data';
import { useHomeMessages } from './home-messages';
import { StatusTiles } from './status-tiles';
import { startOfHour } from './day-hours';
import styles from './home.module.css';

// Only a new server needs this part.
const Welcome = lazyPart(() => import('./welcome'), 'Welcome');

/** Shows problems, active runs and the next starts. */
export function HomeScreen(): ReactElement {
  const t = useHomeMessages();
  const lastHour = useHour();
  const scope = useWorkspaceScope();
  const runs = useLiveQuery(latestRunsSource(scope));
  const isEmpty = runs.data?.dagRuns.length === 0;
  // The chosen workspace has no runs, but others may.
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

const checkMs = 30_000;

/** Returns the beginning of the present hour, and updates at the next one. */
function useHour(): number {
  const [hour, setHour] = useState(() => startOfHour(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setHour(startOfHour(Date.now())), checkMs);
    return () => clearInterval(timer);
  }, []);
  return hour;
}

/** The health of the server, in one line that links to the details. */
function ServerHealth(): ReactElement | null {
  const t = useHomeMessages();
  const { data } = useQuery(healthQuery);
  if (data === undefined) return null;
  const isHealthy = data.status === 'healthy';
  const name = t(`home.health.${isHealthy ? 'healthy' : (data.reason ?? 'unhealthy')}`);
  return (
    <Link to="/status" className={styles.health}>
      <StatusName kind={isHealthy ? 'succeeded' : 'failed'} name={name} />
    </Link>
  );
}
