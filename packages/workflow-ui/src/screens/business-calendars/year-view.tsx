import { useQuery } from '@tanstack/react-query';
import { Button, classNames, Dialog, Skeleton } from '@weir/ui-kit';
import { unwrap } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { useAppMessages } from '../../parts/text/app-messages';
import { useBusinessCalendarsMessages } from './business-calendars-messages';
import styles from './business-calendars.module.css';

type Day = Schemas['CalendarDay'];

export interface YearViewProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** The months of a year, with the days on which schedules of the calendar start nothing. */
export function YearView({ name, onClose }: YearViewProps): ReactElement {
  const t = useBusinessCalendarsMessages();
  const app = useAppMessages();
  const [year, setYear] = useState(() => new Date().getUTCFullYear());
  const { data } = useQuery({
    queryKey: ['business-calendar', name, year],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/calendars/{calendarName}/days', {
          params: { path: { calendarName: name }, query: { year: String(year) } },
          signal,
        }),
      ),
  });
  const days = new Map((data?.days ?? []).map((day) => [day.date, day]));
  const named = [...days.values()].filter(({ kind }) => kind !== 'weekend');
  return (
    <Dialog
      title={t('calendars.year.title', { name, year: String(year) })}
      isOpen
      isWide
      onClose={onClose}
      closeLabel={app('app.close')}
      actions={
        <>
          <Button onPress={() => setYear(year - 1)}>{t('calendars.year.before')}</Button>
          <Button onPress={() => setYear(year + 1)}>{t('calendars.year.after')}</Button>
          <Button variant="primary" onPress={onClose}>
            {t('calendars.close')}
          </Button>
        </>
      }
    >
      {data === undefined ? (
        <Skeleton label={app('app.loading')} rows={6} />
      ) : (
        <div className={styles.year}>
          {Array.from({ length: 12 }, (_, month) => (
            <Month key={month} {...{ year, month, days }} />
          ))}
          <ul className={styles.named}>
            {named.length === 0 ? <li>{t('calendars.year.none')}</li> : null}
            {named.map(({ date, kind, name: holiday }) => (
              <li key={date}>
                <time dateTime={date}>{date}</time> {kind === 'extra' ? t('calendars.year.extra') : holiday}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}

interface MonthProps {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly days: ReadonlyMap<string, Day>;
}

function Month({ year, month, days }: MonthProps): ReactElement {
  const first = new Date(Date.UTC(year, month, 1));
  const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  // Weeks begin on Monday.
  const column = ((first.getUTCDay() + 6) % 7) + 1;
  return (
    <section className={styles.month}>
      <h3>{first.toLocaleDateString(undefined, { month: 'long', timeZone: 'UTC' })}</h3>
      <ol>
        {Array.from({ length: count }, (_, index) => {
          const date = `${year}-${String(month + 1).padStart(2, '0')}-${String(index + 1).padStart(2, '0')}`;
          const day = days.get(date);
          return (
            <li
              key={date}
              className={classNames(day === undefined ? undefined : styles[day.kind])}
              style={index === 0 ? { gridColumnStart: column } : undefined}
              title={day?.name}
            >
              {index + 1}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
