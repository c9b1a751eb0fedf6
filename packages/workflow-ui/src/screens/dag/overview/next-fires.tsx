import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryPanel, Time } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Schemas } from '../../../api/client';
import { occurrencesQuery } from '../../../parts/dag/dag-data';
import { useDagMessages } from '../../../parts/dag/dag-messages';
import { scheduleInWords } from './schedule-in-words';
import styles from './overview.module.css';

export interface NextFiresProps {
  readonly fileName: string;
  readonly schedule: readonly Schemas['Schedule'][];
  readonly isSuspended: boolean;
}

const shownFires = 3;

/** The schedule in words, with its next occurrences. */
export function NextFires({ fileName, schedule, isSuspended }: NextFiresProps): ReactElement {
  const t = useDagMessages();
  const query = useQuery(occurrencesQuery(fileName, shownFires));
  return (
    <section aria-labelledby="dag-schedule" className={styles.section}>
      <h2 id="dag-schedule">{t('dag.tab.schedule')}</h2>
      <ScheduleWords schedule={schedule} zone={query.data?.occurrences[0]?.timeZone} />
      {isSuspended ? <p className={styles.muted}>{t('dag.schedule.off')}</p> : null}
      {schedule.length === 0 ? null : (
        <QueryPanel query={query}>
          {({ occurrences }) => (
            <ul className={styles.fires}>
              {occurrences.map(({ time, entry }) => (
                <li key={`${time} ${entry}`}>
                  <Time value={time} />
                </li>
              ))}
            </ul>
          )}
        </QueryPanel>
      )}
      {schedule.length === 0 ? null : (
        <Link to="/dags/$fileName" params={{ fileName }} search={{ tab: 'schedule' }}>
          {t('dag.schedule.all')}
        </Link>
      )}
    </section>
  );
}

export interface ScheduleWordsProps {
  readonly schedule: readonly Schemas['Schedule'][];
  /** The zone of entries that name none, once it is known. */
  readonly zone: string | undefined;
}

export function ScheduleWords({ schedule, zone }: ScheduleWordsProps): ReactElement {
  const t = useDagMessages();
  if (schedule.length === 0) return <p className={styles.muted}>{t('dag.schedule.none')}</p>;
  const times = schedule.flatMap(({ at }) => at ?? []);
  return (
    <ul className={styles.entries}>
      {scheduleInWords(schedule).map(({ expression, words, timeZone = zone }) => (
        <li key={expression}>
          {words}
          {timeZone === undefined ? null : <span className={styles.muted}> · {timeZone}</span>}
          <code className={styles.muted}>{expression}</code>
        </li>
      ))}
      {times.map((at) => (
        <li key={at}>
          <Time value={at} />
        </li>
      ))}
    </ul>
  );
}
