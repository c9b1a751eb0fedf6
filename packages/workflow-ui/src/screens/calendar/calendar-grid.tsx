import { useLingui } from '@lingui/react';
import { classNames, EmptyState } from '@weir/ui-kit';
import { useMemo, type ReactElement } from 'react';
import { useIsNarrow } from '../../parts/use-is-narrow';
import { toCalendar, hourKey, type CalendarSources } from './calendar-entries';
import type { Day } from './calendar-days';
import { CalendarAgenda } from './calendar-agenda';
import { CalendarHour } from './calendar-hour';
import { useCalendarMessages } from './calendar-messages';
import styles from './calendar.module.css';

export interface CalendarGridProps extends Omit<CalendarSources, 'now'> {
  readonly days: readonly Day[];
  readonly today: Day;
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** A column for each day, and a row for each hour: overlaps and quiet hours become visible. */
export function CalendarGrid({ days, today, ...sources }: CalendarGridProps): ReactElement {
  const t = useCalendarMessages();
  const { i18n } = useLingui();
  const isNarrow = useIsNarrow();
  const { runs, occurrences, wallTimeOf } = sources;
  const now = new Date();
  const calendar = useMemo(
    () => toCalendar({ runs, occurrences, wallTimeOf, now: new Date() }),
    [runs, occurrences, wallTimeOf],
  );
  const nowHour = wallTimeOf(now).hour;
  const isEmpty = !days.some((day) => hours.some((hour) => calendar.has(hourKey({ day, hour }))));
  if (isEmpty) return <EmptyState title={t('calendar.empty.title')}>{t('calendar.empty.text')}</EmptyState>;
  const dayName = new Intl.DateTimeFormat(i18n.locale === 'en-XA' ? 'en' : i18n.locale, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  const hourName = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
  if (isNarrow && days.length > 1) {
    const agenda = days.map((day) => ({
      day,
      name: dayName.format(new Date(day)),
      isToday: day === today,
      hours: hours.flatMap((hour) => {
        const entries = calendar.get(hourKey({ day, hour }));
        return entries === undefined ? [] : [{ hour: hourName(hour), entries }];
      }),
    }));
    return <CalendarAgenda label={t('calendar.grid')} days={agenda} />;
  }
  return (
    <table aria-label={t('calendar.grid')} className={classNames(styles.grid, days.length === 1 && styles.single)}>
      <thead>
        <tr>
          <th scope="col" className={styles.hours}>
            <span className={styles.spoken}>{t('calendar.hour')}</span>
          </th>
          {days.map((day) => (
            <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
              {dayName.format(new Date(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => (
          <tr key={hour}>
            <th scope="row" className={styles.hours}>
              {hourName(hour)}
            </th>
            {days.map((day) => (
              <td key={day} className={day === today && hour === nowHour ? styles.now : ''}>
                <CalendarHour entries={calendar.get(hourKey({ day, hour })) ?? []} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
