import { useQuery } from '@tanstack/react-query';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { RunLink } from '../../../parts/run-link';
import { dagExplanationQuery } from '../../../parts/dag/dag-data';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import styles from './schedule.module.css';

/** These causes are already shown beside the schedule. */
const saidElsewhere: readonly Cause['kind'][] = ['dag_suspended', 'no_schedule'];

type Cause = Schemas['DAGExplanationCause'];

/**
 * The reasons why the schedule does not start the DAG, and the occurrences without a run. Renders nothing where there
 * is neither.
 */
export function ScheduleReasons({ fileName }: { readonly fileName: string }): ReactElement {
  const query = useQuery(dagExplanationQuery(fileName));
  return (
    <QueryPanel query={query}>
      {({ causes, skipped }) => (
        <>
          <Causes causes={causes.filter(({ kind }) => !saidElsewhere.includes(kind))} />
          <Skipped skipped={skipped} />
        </>
      )}
    </QueryPanel>
  );
}

function Causes({ causes }: { readonly causes: readonly Cause[] }): ReactElement | null {
  const t = useDagMessages();
  if (causes.length === 0) return null;
  return (
    <section aria-label={t('dag.schedule.why')} className={styles.reasons}>
      <h3>{t('dag.schedule.why')}</h3>
      <ul>
        {causes.map(({ kind, message, error, runs = [] }) => (
          <li key={kind}>
            {message} {error === undefined ? null : <code>{error}</code>}
            {runs.map((run) => (
              <RunLink key={run.dagRunId} {...run} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Skipped({ skipped }: { readonly skipped: readonly Schemas['SkippedOccurrences'][] }): ReactElement | null {
  const t = useDagMessages();
  if (skipped.length === 0) return null;
  return (
    <section aria-label={t('dag.schedule.skipped')} className={styles.reasons}>
      <h3>{t('dag.schedule.skipped')}</h3>
      <ul>
        {skipped.map(({ first, last, count, message, error }) => (
          <li key={`${first} ${last}`}>
            <span className={styles.muted}>
              <Time value={first} />
              {count === 1 ? null : (
                <>
                  {' – '}
                  <Time value={last} /> ({count})
                </>
              )}
            </span>{' '}
            {message} {error === undefined ? null : <code>{error}</code>}
          </li>
        ))}
      </ul>
    </section>
  );
}
